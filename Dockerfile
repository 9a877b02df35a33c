# One image for every process: `inorder receiver`, `inorder worker`, `inorder migrate` and all other commands.
# The configuration is mounted at /config; see docs/deploy.md.

FROM node:22.21.1-bookworm-slim AS base
WORKDIR /app

FROM base AS build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json inorder.config.ts ./
COPY bin ./bin
COPY machines ./machines
COPY src ./src
COPY workflows ./workflows
COPY activities ./activities
RUN npm run build

FROM base AS packages
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
# The SDK brings its native part for five systems; this image is one of them.
RUN find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

FROM base
ENV NODE_ENV=production
ENV INORDER_CONFIG=/config/inorder.config.ts
COPY package.json LICENSE CHANGELOG.md ./
COPY bin ./bin
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
WORKDIR /config
# 8080: webhooks, /livez, /readyz. 8081: /metrics, /healthz, /livez; for the inside only.
EXPOSE 8080 8081
# As process 1 Node gets no default for signals: run it with --init (docker-compose.yml does).
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8081/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/inorder.js"]
CMD ["--help"]
