/** A place inside the configuration as a person would write it: `sources.shop.secrets[0].value`. */
export function configPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = String(part);
    if (!/^[A-Za-z_$][\w$-]*$/.test(name)) return `${text}['${name}']`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}
