import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { InorderError } from '../../../src/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'inorder-unreadable-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function refusal(file: string): Promise<string> {
  const error: unknown = await loadConfig(file, {}).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'config_invalid' });
  return InorderError.from(error).message;
}

describe('a file that cannot be read', () => {
  const broken = (files: Record<string, string>): string => {
    const own = mkdtempSync(join(folder, 'broken-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text);
    return join(own, 'inorder.config.ts');
  };
  const CONFIG =
    "import { m } from './machine.ts';\nexport default { machines: [m], sources: {}, effects: {} };\n";

  it('is named with line and column, also where it is an imported one', async () => {
    const own = await refusal(broken({ 'inorder.config.ts': 'export default {\n  machines [],\n};\n' }));
    expect(own).toMatch(/\/inorder\.config\.ts:2:12: Unexpected token/);
    const imported = await refusal(
      broken({ 'inorder.config.ts': CONFIG, 'machine.ts': 'export const m = {\n' }),
    );
    expect(imported).toMatch(/\/machine\.ts:2:1: Unexpected token/);
  });

  it('names the file that imports what is not there', async () => {
    const files = { 'inorder.config.ts': CONFIG, 'machine.ts': "export { m } from './lost.ts';\n" };
    expect(await refusal(broken(files))).toMatch(/\/machine\.ts: imports '\.\/lost\.ts': no such file$/);
    const away = { 'inorder.config.ts': "import 'no-such-package-of-ours';\nexport default {};\n" };
    expect(await refusal(broken(away))).toMatch(/imports 'no-such-package-of-ours': no such package/);
  });

  it('is named with the line that threw, and the name as it was written', async () => {
    const files = {
      'inorder.config.ts':
        "import { htp } from 'inorder';\n\nexport default { machines: [htp()], sources: {} };\n",
    };
    expect(await refusal(broken(files))).toMatch(/\/inorder\.config\.ts:3: htp is not a function$/);
  });
});

describe('a file that is no configuration', () => {
  it.each([
    ['absent', null, /absent\.ts has a problem:\n {2}- there is no such file/],
    ['of broken code', 'export default {', /could not be loaded/],
    ['that throws', "throw new Error('no luck');", /could not be loaded: \S+that-throws\.ts:1: no luck$/],
    ['without a default export', 'export const config = 1;', /exports no configuration/],
    ['that imports what is not there', "import './nowhere.ts'; export default {};", /could not be loaded/],
  ])('%s stops the start', async (name, content, message) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.ts`);
    if (content !== null) writeFileSync(file, content);
    expect(await refusal(file)).toMatch(message);
  });
});
