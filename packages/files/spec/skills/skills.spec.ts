import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createApplication, type Constructor, definePrompt, defineSection, Session } from 'toolwright';
import { SetVisibilityOverride } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { readSkill, skillSection, writeSkills } from '@toolwright/files/skills';

const root = mkdtempSync(join(tmpdir(), 'toolwright-skills-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
const FRONT = '---\nname: refunds\ndescription: Pay money back.\n---\n';

/** A folder of its own with these files; its name is `refunds` unless given. */
function folderOf(files: Readonly<Record<string, string | Uint8Array>>, name = 'refunds'): string {
  const folder = join(root, String(count++), name);
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

async function render(section: Constructor, opened = true) {
  const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [section] });
  const app = await createApplication({ prompts: [prompt] });
  const session = new Session();
  if (opened) session.dispatch(new SetVisibilityOverride('refunds', 'full'));
  const rendered = await app.prompt(prompt).render({ session });
  const call = (name: string, args: object) => app.invoke(rendered, name, args as Record<string, unknown>, { session });
  return { rendered, call };
}

describe('readSkill', () => {
  test('readSkill keeps the front matter, and reads every file but hidden ones', () => {
    const folder = folderOf({
      'SKILL.md':
        '\uFEFF---\r\nname: refunds\r\ndescription: >-\r\n  Pay money\r\n  back.\r\nlicense: MIT\r\nmetadata:\r\n  version: "2"\r\n---\r\n\r\n# Refunds\r\n',
      'scripts/pay.sh': 'rm -rf /\n',
      '.git/config': 'secret',
      '.env': 'secret',
    });
    const { name, description, frontMatter, body, files } = readSkill(folder);
    expect({ name, description, frontMatter, body }).toEqual({
      name: 'refunds',
      description: 'Pay money back.',
      frontMatter: { name: 'refunds', description: 'Pay money back.', license: 'MIT', metadata: { version: '2' } },
      body: '\n# Refunds\n',
    });
    expect([...files.keys()]).toEqual(['SKILL.md', 'scripts/pay.sh']);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['no front matter', '# Refunds\n', /does not begin with front matter/],
    ['front matter without an end', '---\nname: refunds\n', /does not begin with front matter/],
    ['a tab in YAML', '---\nname: refunds\n\tdescription: x\n---\n', /not valid YAML, line \d/],
    [
      'a key that is there twice',
      `${FRONT.slice(0, -4)}name: refunds\n---\n`,
      /not valid YAML, line 4: Map keys must be unique/,
    ],
    ['an alias', '---\nname: &a refunds\ndescription: *a\n---\n', /uses aliases/],
    ['a list', '---\n- name\n---\n', /expected front matter with keys/],
    ['nothing', '---\n---\n', /expected front matter with keys/],
    ['no name', '---\ndescription: x\n---\n', /expected a name .* got undefined/],
    ['a name with capitals', '---\nname: Refunds\ndescription: x\n---\n', /expected a name of at most 64/],
    ['a name that leads out', '---\nname: ../refunds\ndescription: x\n---\n', /expected a name of at most 64/],
    [
      'a name that differs from its folder',
      '---\nname: refund\ndescription: x\n---\n',
      /expected the name of its folder/,
    ],
    ['no description', '---\nname: refunds\n---\n', /expected a description/],
    ['a description that is a number', '---\nname: refunds\ndescription: 1\n---\n', /expected a description/],
    [
      'a description of 1,025 characters',
      `---\nname: refunds\ndescription: ${'x'.repeat(1_025)}\n---\n`,
      /expected a description/,
    ],
    ['bytes that are no text', new Uint8Array([0x2d, 0xff]), /SKILL.md is not UTF-8/],
    ['front matter of 65 kB', `${FRONT.slice(0, -4)}a: ${'x'.repeat(66_000)}\n---\n`, /more than 65536 characters/],
  ])('E928: readSkill refuses a SKILL.md with %s', (_name, text, message) => {
    const folder = folderOf({ 'SKILL.md': text });
    expect(() => readSkill(folder)).toThrow(message);
    expect(() => readSkill(folder)).toThrow(expect.objectContaining({ code: 'E928', place: folder }) as Error);
  });

  test('E928: readSkill refuses a folder without SKILL.md, and one that does not exist', () => {
    expect(() => readSkill(folderOf({ 'skill.md': FRONT }))).toThrow(/there is no SKILL.md/);
    expect(() => readSkill(join(root, 'nowhere'))).toThrow(/ENOENT/);
  });

  test.each([
    ['a link to a file', (folder: string) => symlinkSync('/etc/hostname', join(folder, 'host.txt'))],
    ['a link to a folder', (folder: string) => symlinkSync('/etc', join(folder, 'etc'))],
    ['a link to nothing', (folder: string) => symlinkSync('/nowhere', join(folder, 'nothing'))],
  ])('E928: readSkill refuses %s', (_name, link) => {
    const folder = folderOf({ 'SKILL.md': FRONT });
    link(folder);
    expect(() => readSkill(folder)).toThrow(/links, devices and pipes are not read/);
  });

  test('readSkill reads a file that has a second name', () => {
    const folder = folderOf({ 'SKILL.md': FRONT, 'a.txt': 'a' });
    linkSync(join(folder, 'a.txt'), join(folder, 'b.txt'));
    expect(readSkill(folder).files.size).toBe(3);
  });

  test('E928: readSkill accepts 512 files and refuses 513', () => {
    const files = Object.fromEntries(Array.from({ length: 511 }, (_, index) => [`f/${String(index)}.txt`, '']));
    const folder = folderOf({ 'SKILL.md': FRONT, ...files });
    expect(readSkill(folder).files.size).toBe(512);
    writeFileSync(join(folder, 'one-more.txt'), '');
    expect(() => readSkill(folder)).toThrow(/at most 512 files/);
  });

  test('E928: readSkill accepts 16 MiB and refuses one byte more', () => {
    const folder = folderOf({ 'SKILL.md': FRONT, 'a.bin': '', 'b.bin': '' });
    truncateSync(join(folder, 'a.bin'), 8 * 1024 * 1024);
    truncateSync(join(folder, 'b.bin'), 8 * 1024 * 1024 - Buffer.byteLength(FRONT));
    expect(readSkill(folder).files.size).toBe(3);
    truncateSync(join(folder, 'b.bin'), 8 * 1024 * 1024 - Buffer.byteLength(FRONT) + 1);
    expect(() => readSkill(folder)).toThrow(/at most 16777216 bytes together/);
  });

  test('E928: readSkill refuses 513 folders', () => {
    const folder = folderOf({ 'SKILL.md': FRONT });
    for (let index = 0; index < 512; index++) mkdirSync(join(folder, `d${String(index)}`));
    expect(() => readSkill(folder)).toThrow(/at most 512 folders/);
  });
});

describe('skillSection', () => {
  const files = {
    'SKILL.md': `${FRONT}Set \${HOME} and $$5, then run scripts/pay.sh.\n`,
    'scripts/pay.sh': '#!/bin/sh\necho paid\n',
    'table.csv': 'x'.repeat(45_000),
    'logo.png': new Uint8Array([0x89, 0x50, 0, 0xff]),
  };

  test('a skill is shown as its description until it is opened, and then as its text with its files', async () => {
    const section = skillSection(folderOf(files));
    const closed = await render(section, false);
    expect(closed.rendered.text).toContain('Pay money back.');
    expect(closed.rendered.text).not.toContain('scripts/pay.sh');
    const { rendered } = await render(section);
    expect(rendered.text).toContain('Set ${HOME} and $$5, then run scripts/pay.sh.');
    expect(rendered.text).toContain('for read_refunds_file: logo.png, scripts/pay.sh, table.csv');
  });

  test('a script is read as text', async () => {
    const { call } = await render(skillSection(folderOf(files)));
    expect((await call('read_refunds_file', { path: 'scripts/pay.sh' })).text).toBe('#!/bin/sh\necho paid\n');
  });

  test('a long file is read in parts', async () => {
    const { call } = await render(skillSection(folderOf(files)));
    const first = (await call('read_refunds_file', { path: 'table.csv' })).text;
    expect(first).toContain('[25000 more characters: read on with offset 20000.]');
    const last = (await call('read_refunds_file', { path: 'table.csv', offset: 40_000 })).text;
    expect(last).toBe('x'.repeat(5_000));
    expect((await call('read_refunds_file', { path: 'table.csv', offset: 45_000 })).kind).not.toBe('succeeded');
  });

  test.each([
    '../refunds/SKILL.md',
    '/etc/passwd',
    'scripts',
    'scripts/../table.csv',
    './table.csv',
    'logo.png',
    'a\0b',
  ])('the path %j is refused', async (path) => {
    const { call } = await render(skillSection(folderOf(files)));
    const { kind, text } = await call('read_refunds_file', { path });
    expect(kind).not.toBe('succeeded');
    expect(text).toMatch(/has no file|is not text/);
  });

  test('a skill without further files has no tool', async () => {
    const { rendered } = await render(skillSection(folderOf({ 'SKILL.md': FRONT })));
    expect(rendered.tools.map(({ name }) => name)).not.toContain('read_refunds_file');
  });

  test('a skill is found by a search for what it is about, and opened with its files', async () => {
    const folder = folderOf({ 'SKILL.md': `${FRONT}Look at the limits first.\n`, 'limits.csv': 'gold,500\n' });
    const other = defineSection({
      key: 'parcels',
      title: 'Parcels',
      visibility: 'summary',
      summary: 'Track a parcel.',
    });
    const prompt = definePrompt({ ns: 'spec', key: 'desk', search: true, sections: [other, skillSection(folder)] });
    const app = await createApplication({ prompts: [prompt] });
    const model = new ScriptedModel([
      { toolCalls: [{ name: 'search_tools', arguments: { query: 'How do I give a customer their money back?' } }] },
      { toolCalls: [{ name: 'read_refunds_file', arguments: { path: 'limits.csv' } }] },
      { text: 'Up to 500.' },
    ]);
    const { transcript } = await app.evaluate(app.prompt(prompt), { adapter: model, messages: [] });
    const answers = transcript.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
    expect(answers[0]).toContain('Look at the limits first.');
    expect(answers[1]).toContain('gold,500');
  });

  test('E413: skillSection refuses an unknown option', () => {
    const options = { shown: true };
    expect(() => skillSection(folderOf(files), options as object)).toThrow(
      expect.objectContaining({ code: 'E413' }) as Error,
    );
  });
});

describe('writeSkills', () => {
  async function renderOrders() {
    const inner = defineSection({ key: 'returns', title: 'Returns', template: 'Within 30 days.' });
    const orders = defineSection({
      key: 'order_desk',
      title: 'Orders: "all"',
      template: 'Look an order up first.',
      children: [inner],
    });
    const summed = defineSection({
      key: 'mail',
      title: 'Mail',
      template: 'Write politely.',
      summary: 'How to write mails.',
    });
    const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [orders, summed] });
    const app = await createApplication({ prompts: [prompt] });
    return app.prompt(prompt).render();
  }

  test('each root section becomes a skill that can be read again, with everything below it', async () => {
    const [orders, mail] = writeSkills(await renderOrders());
    expect(orders).toMatchObject({ name: 'order-desk', description: 'Orders: "all". Look an order up first.' });
    expect(orders?.body).toContain('Within 30 days.');
    expect(mail).toMatchObject({ name: 'mail', description: 'How to write mails.' });
    const folder = folderOf({ 'SKILL.md': orders?.files.get('SKILL.md') ?? '' }, 'order-desk');
    expect(readSkill(folder)).toMatchObject({ name: 'order-desk', body: orders?.body });
  });

  test('a chosen section is written alone', async () => {
    const skills = writeSkills(await renderOrders(), ['order_desk.returns']);
    expect(skills.map(({ name }) => name)).toEqual(['order-desk-returns']);
  });

  test('E929: writeSkills refuses a section that does not exist, and two of one name', async () => {
    const rendered = await renderOrders();
    const refused = expect.objectContaining({ code: 'E929' }) as Error;
    expect(() => writeSkills(rendered, ['nothing'])).toThrow(refused);
    expect(() => writeSkills(rendered, ['mail', 'mail'])).toThrow(refused);
  });
});
