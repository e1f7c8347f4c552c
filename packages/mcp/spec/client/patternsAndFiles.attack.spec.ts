import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { Transform } from 'class-transformer';
import { Matches, ValidateBy, ValidateNested } from 'class-validator';
import {
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Session,
} from 'toolwright';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import type { StandardSchema } from 'toolwright/schema';
import { PlanningSection } from 'toolwright/sections';
import { HostFilesystem } from '@toolwright/files';
import { jsonSchema } from '@toolwright/json-schema';
import * as v from 'valibot';
import { z } from 'zod';
import { toRemoteParams } from '../../src/client/readRemoteSchema';
import { workbench } from '../../../../spec/builtin/workspace/workbench';
import { HELD_MS, leastPause } from '../../../../spec/support/hostPause';
import { measureAround } from '../../../../spec/support/attacks/around';
import { silent } from '../../../../spec/support/silent';

measureAround();

const A = 'a'.repeat(100);

/** A pattern with its beginning, for the title of its test. */
const shown = (pattern: string): [string, string] => [pattern.slice(0, 20), pattern];

const valibotSchema = (pattern: RegExp) => toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.regex(pattern)) }));

const BAD = /^(\w+ ?){1,10}$/;
/** A pattern that no JSON Schema of the input shows. */
const hidden = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.string().regex(BAD));

class ByOwnRule {
  @Param('A.') @ValidateBy({ name: 'words', validator: { validate: (text) => BAD.test(String(text)) } }) a!: string;
}
const busyFor = (ms: number): boolean => {
  for (const end = performance.now() + ms; performance.now() < end;);
  return true;
};
const busy = (): boolean => busyFor(300);
class BusyRule {
  @Param('A.') @ValidateBy({ name: 'busy', validator: { validate: busy } }) a!: string;
}
class Inner {
  @Matches(BAD) a!: string;
}
class Transformed {
  @Param({ description: 'A.', type: String })
  @Transform(({ value }) => Object.assign(new Inner(), { a: String(value) }))
  @ValidateNested()
  a!: Inner;
}

/** A function that calls a tool with these params. */
async function caller(params: Constructor | StandardSchema, repair?: 'on') {
  const act = defineTool({ name: 'act', description: 'Acts.', params, handler: () => 'done' });
  const Desk = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [act] })] });
  const app = await createApplication({ prompts: [Desk], repair, logger: silent });
  const rendered = await app.prompt(Desk).render();
  return (args: Record<string, unknown>) => app.invoke(rendered, 'act', args);
}

describe('patterns of a model', () => {
  test.each([
    'a*a*a*a*a*b',
    '(a|a)*b',
    '(?:.*a){20}b',
    '(x+x+)+y|(a+a+)+b',
    '(a?){50}a{50}b',
    '((a*)*)*b',
    '(?:a|b)*a(?:a|b){100}c',
  ])(
    'HOST-01a grep for %s in lines that it nearly matches answers at once',
    async (pattern) => {
      const { call } = await workbench({ a: `${A}\n`.repeat(200), b: 'a'.repeat(1_000_000) });
      expect(await leastPause(() => call('grep', { pattern }))).toBeLessThan(HELD_MS);
    },
    60_000,
  );

  test.each(
    [
      ...[
        '(a{1000}){1000}',
        '((a{100}){100}){100}',
        `(?:${'ab'.repeat(490)}){1000}`,
        'a{0,1000}'.repeat(100),
        `${'('.repeat(90)}a${'{1000})'.repeat(90)}`,
        `^${'(?=(?:ab){900})'.repeat(60)}a`,
        `(?:${'\\b|'.repeat(300)}a){100}`,
        'a'.repeat(1_000_000),
        '('.repeat(500_000),
        '\\p{L}'.repeat(150),
        `(${'a|b'.repeat(500)})`,
        '('.repeat(400) + ')'.repeat(400),
      ],
      ...[
        '(?i:a)',
        'a(?=b)',
        '(?<=a)b',
        '(a)\\1',
        '(?<n>a)\\k<n>',
        '(?:a{0,1000}){0,1000}',
        '\\p{Script_Extensions=Greek}',
      ],
    ].map(shown),
  )('HOST-01b grep for %s answers at once, if only with what to write instead', async (_shown, pattern) => {
    const { call } = await workbench({ a: A });
    let text = '';
    expect(await leastPause(async () => (text = (await call('grep', { pattern })).text))).toBeLessThan(HELD_MS);
    expect(text).toMatch(/^(?:No line matches|a:1: a|The regular expression .* cannot be used: .*\. [A-Z].*\.)/);
  });

  test('HOST-01c a search of ten megabytes of short lines, of one line, and of ten thousand files lets other work run', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`d/${String(index % 100)}/${String(index)}`, 'a\nb']),
    );
    const { call } = await workbench({ short: 'a?b?c?d\n'.repeat(1_200_000), long: 'ab'.repeat(4_900_000), ...files });
    for (const pattern of ['(?:a.?|b.?)*(?:x|y)', 'nothing', '^b$'])
      expect(await leastPause(() => call('grep', { pattern, limit: 1_000 }), 6)).toBeLessThan(HELD_MS);
  }, 240_000);

  test.each(
    [
      '*a'.repeat(400),
      '{a,b}'.repeat(190),
      '{'.repeat(400) + 'a' + '}'.repeat(400),
      '[!b]*'.repeat(190),
      '**/'.repeat(300),
    ].map(shown),
  )(
    'HOST-01d glob with %s answers at once',
    async (_shown, pattern) => {
      const files = Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [`${'a'.repeat(240)}${String(index)}`, '']),
      );
      const { call } = await workbench({ ...files, [`${'a/'.repeat(2_000)}a`]: '' });
      expect(await leastPause(() => call('glob', { pattern }))).toBeLessThan(HELD_MS);
    },
    60_000,
  );

  test('HOST-01e a search ends with its call', async () => {
    const files = new InMemoryFilesystem({ files: { a: 'a?b?c?d\n'.repeat(1_000_000) } });
    const controller = new AbortController();
    const searched = files.grep('(?:a.?|b.?)*(?:x|y)', { signal: controller.signal });
    setImmediate(() => {
      controller.abort(new RangeError('enough'));
    });
    await expect(searched).rejects.toThrow('enough');
    const globbed = files.glob('**', { signal: AbortSignal.abort(new RangeError('enough')) });
    expect(await globbed).toEqual(['a']);
  });
});

describe('patterns of declarations and servers', () => {
  test.each([/^(a|a)*$/, /a*a*a*a*a*b/, /^(?:a|aa)+$/, /^(?!(?:a|a)*b)a+(?:x|y)$/])(
    'HOST-01f a tool whose param has the pattern %p answers at once to any text',
    async (pattern) => {
      class Params {
        @Param({ description: 'A.', pattern, optional: true }) byOption?: string;
        @Param({ description: 'B.', optional: true, type: String })
        @Matches(pattern, { message: 'other words' })
        byRule?: string;
        @Param({ description: 'C.', optional: true, type: [String] })
        @Matches(pattern, { each: true })
        listed?: string[];
      }
      const call = await caller(Params);
      for (const text of [`${A}!`, `${'a'.repeat(1_000_000)}!`])
        for (const args of [{ byOption: text }, { byRule: text }, { listed: [text] }]) {
          expect(await leastPause(() => call(args))).toBeLessThan(HELD_MS);
          expect((await call(args)).kind).toBe('rejected');
        }
    },
  );

  test('HOST-01g a text that is too long for its pattern is refused with the bound', async () => {
    class Params {
      @Param({ description: 'A.', pattern: /(?:a|b)*c/ }) text!: string;
    }
    const { text } = await (await caller(Params))({ text: 'a'.repeat(500_000) });
    expect(text).toMatch(/text: expected at most [\d]+ characters, with which its pattern is matched, got 500000/);
  });

  test.each<[string, object, unknown]>([
    ['a pattern', { properties: { a: { type: 'string', pattern: '^(a|a)*$' } } }, { a: `${A}!` }],
    ['names of properties', { patternProperties: { '^(a|a)*$': { type: 'number' } } }, { [`${A}!`]: 1 }],
    ['names and no others', { patternProperties: { '^(a|a)*$': {} }, additionalProperties: false }, { [`${A}!`]: 1 }],
    ['names that a pattern restricts', { propertyNames: { pattern: '(x+x+)+y|(a+a+)+b' } }, { [A]: 1 }],
    [
      'many patterns',
      { properties: { a: { allOf: Array.from({ length: 900 }, (_, n) => ({ pattern: `(a|a)*b{${String(n)}}c` })) } } },
      { a: A.repeat(1_000) },
    ],
    ['a long group a thousand times', { properties: { a: { pattern: `(?:${'ab'.repeat(490)}){1000}` } } }, { a: A }],
    ['a hundred optional repetitions', { properties: { a: { pattern: 'a{0,1000}'.repeat(100) } } }, { a: A }],
    [
      'names by many long repetitions',
      {
        patternProperties: Object.fromEntries(
          Array.from({ length: 300 }, (_, n) => [`(?:${'ab'.repeat(300)}${String(n)}){900}`, {}]),
        ),
      },
      { [A]: 1 },
    ],
    [
      'many texts',
      { properties: { a: { items: { pattern: '^(a|a)*$' } } } },
      { a: Array.from({ length: 5_000 }, () => `${A}!`) },
    ],
  ])('HOST-01h %s of a bridged schema is matched at once', async (_what, schema, value) => {
    // Its first check reads and compiles the patterns.
    const firstCheck = (): unknown => {
      const params = toRemoteParams({ type: 'object', ...schema });
      if ('problem' in params) throw new TypeError(params.problem);
      return params['~standard'].validate(value);
    };
    await firstCheck();
    expect(await leastPause(firstCheck)).toBeLessThan(HELD_MS);
  });

  test('HOST-01i a pattern of a bridged schema still counts, and one that cannot be matched is left to the server', async () => {
    const params = toRemoteParams({
      type: 'object',
      properties: { a: { pattern: '^(?:a|b)+$' }, b: { pattern: '(a)\\1' } },
      patternProperties: { '^(?:x|y)_': { type: 'number' } },
    });
    if ('problem' in params) throw new TypeError(params.problem);
    expect(await params['~standard'].validate({ a: 'ab', b: 'b', x_: 1 })).toEqual({
      value: { a: 'ab', b: 'b', x_: 1 },
    });
    expect((await params['~standard'].validate({ a: 'c', x_: 'x' })).issues?.map(({ path }) => path)).toEqual([
      ['a'],
      ['x_'],
    ]);
  });

  test.each([
    ['zod, bounded repeats', z.object({ a: z.string().regex(/^(\w+ ?){1,10}$/) }), 'two words'],
    ['zod, any case', z.object({ a: z.string().regex(/^(?:a|a)*$/i) }), 'A'.repeat(50)],
    ['zod, a union', z.object({ a: z.union([z.string().regex(/^(\w+ ?){1,10}$/), z.email()]) }), 'longer@example.com'],
    ['zod, a back reference', z.object({ a: z.string().regex(/^(a+)+\1$/) }), 'a'.repeat(50)],
    ['valibot', valibotSchema(/^(\w+ ?){1,10}$/), 'a text of several words'],
    ['zod, behind a transform', z.object({ a: hidden }), 'A TEXT OF SEVERAL WORDS'],
    ['zod, between transforms', z.object({ a: hidden.transform((text) => [text]) }), 'a text of several words'],
    ['zod, in a refinement', z.object({ a: z.string().refine((text) => BAD.test(text)) }), 'a text of several words'],
    ['a rule of your own', ByOwnRule, 'a text of several words'],
    ['class-validator, in a class that @Transform creates', Transformed, 'a text of several words'],
  ])('HOST-01k a pattern that %s matches is ended, and ordinary texts pass', async (_name, params, good) => {
    const call = await caller(params);
    let [kind, text] = ['', ''];
    const attack = async (): Promise<void> => void ({ kind, text } = await call({ a: `${A}!` }));
    expect(await leastPause(attack)).toBeLessThan(HELD_MS);
    expect(kind).toBe('rejected');
    expect(text).toContain('could not be checked in 40 ms: a pattern or another rule takes too long for it');
    expect((await call({ a: good })).kind).toBe('succeeded');
  });

  test('HOST-01k a pattern that repaired arguments meet is ended', async () => {
    class Params {
      @Param({ description: 'A.', oneOf: [ByOwnRule, Number] }) one!: ByOwnRule | number;
    }
    const call = await caller(Params, 'on');
    const attack = { one: JSON.stringify({ a: `${A}!` }) };
    let kind = '';
    expect(await leastPause(async () => ({ kind } = await call(attack)))).toBeLessThan(HELD_MS);
    expect(kind).toBe('rejected');
    expect((await call({ one: JSON.stringify({ a: 'a text of several words' }) })).kind).toBe('succeeded');
  });

  test.each([
    ['a refinement', z.object({ a: z.string().refine(busy) })],
    ['a rule of class-validator', BusyRule],
  ])('HOST-01k %s that computes for long is ended', async (_what, params) => {
    expect((await (await caller(params))({ a: A })).kind).toBe('rejected');
  });

  test('HOST-01k arguments that are repaired have no more time than what refused them has left', async () => {
    const slowly = z.string().refine((text) => text === 'at once' || busyFor(22));
    const call = await caller(z.object({ a: slowly, n: z.number() }), 'on');
    expect((await call({ a: 'short', n: '1' })).text).toContain('- n: ');
    expect((await call({ a: 'at once', n: '1' })).kind).toBe('succeeded');
  });

  test('HOST-01k many short texts share the time of one check', async () => {
    const call = await caller(z.object({ a: z.array(z.string().regex(/^(?:a|a)*$/)) }));
    const attack = { a: Array.from({ length: 5_000 }, () => `${'a'.repeat(15)}!`) };
    let kind = '';
    expect(await leastPause(async () => ({ kind } = await call(attack)))).toBeLessThan(HELD_MS);
    expect(kind).toBe('rejected');
  });

  test('HOST-01j a pattern of jsonSchema() is matched at once, and one that cannot be is refused at creation', async () => {
    const schemaOf = (pattern: string) =>
      jsonSchema({ type: 'object', properties: { a: { type: 'string', pattern } } });
    const call = await caller(schemaOf('^(a|a)*$'));
    expect(await leastPause(() => call({ a: `${A}!` }))).toBeLessThan(HELD_MS);
    expect((await call({ a: `${A}!` })).kind).toBe('rejected');
    await expect(caller(schemaOf('(a)\\1'))).rejects.toThrow('back reference \\1');
  });
});

describe('bounds of built-in tools', () => {
  const adapters = { memory: () => Promise.resolve(new InMemoryFilesystem()), host: () => openHost() };
  const folders: string[] = [];
  async function openHost(): Promise<HostFilesystem> {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-attack-'));
    folders.push(folder);
    return HostFilesystem.open(folder);
  }
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  test.each(Object.entries(adapters))(
    'HOST-06a an edit that multiplies a file is refused, and changes nothing (%s)',
    async (_name, open) => {
      const files: Filesystem = await open();
      await files.write('a', 'a'.repeat(400_000));
      const { call } = await workbench(files);
      const args = { path: 'a', old_text: 'a', new_text: 'b'.repeat(1_000), replace_all: true };
      let text = '';
      expect(await leastPause(async () => (text = (await call('edit_file', args)).text))).toBeLessThan(HELD_MS);
      expect(text).toBe(
        '"a" would have 400,000,000 bytes, more than the 10,000,000 that a file may have. Write less, or spread it over several files.',
      );
      expect((await files.stat('a')).sizeBytes).toBe(400_000);
      if (files instanceof HostFilesystem) await files.close();
    },
  );

  test.each(Object.entries(adapters))(
    'HOST-06b what is appended again and again ends at the bound (%s)',
    async (_name, open) => {
      const files: Filesystem = await open();
      for (let time = 0; time < 12; time++)
        await files.write('a', 'é'.repeat(450_000), { mode: 'append' }).catch(() => undefined);
      expect((await files.stat('a')).sizeBytes).toBe(9_900_000);
      await expect(files.write('b', 'é'.repeat(5_000_001))).rejects.toThrow(
        '10,000,002 bytes, more than the 10,000,000',
      );
      expect(await files.exists('b')).toBe(false);
      if (files instanceof HostFilesystem) await files.close();
    },
  );

  test('HOST-06c ls and glob of more than ten thousand names say how to narrow them', async () => {
    const { call } = await workbench(
      Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`f${String(n)}`, ''])),
    );
    expect((await call('ls')).text).toBe(
      'The directory has 10,001 entries, and at most 10,000 are listed. Find some of them with glob.',
    );
    expect((await call('glob', { pattern: '*' })).text).toBe(
      'The pattern has 10,001 files, and at most 10,000 are listed. Narrow the pattern or the path.',
    );
  });

  test('HOST-06d grep in long lines returns a bounded result, which says that there is more', async () => {
    const { call } = await workbench({ a: `${'a'.repeat(100_000)}\n`.repeat(90) });
    const { value } = await call('grep', { pattern: 'a' });
    expect(value).toMatchObject({ isComplete: false });
    expect(JSON.stringify(value).length).toBeLessThan(600_000);
  });

  test('HOST-06e a line of ten megabytes is not read, and the answer says how to look into it', async () => {
    const { call } = await workbench({ a: 'a'.repeat(9_000_000) });
    expect((await call('read_file', { path: 'a' })).text).toBe(
      'Line 1 of "a" has 9000000 characters, more than the 1000000 that are shown of one line. Look for a part of it with grep.',
    );
  });

  test('HOST-06f a plan has at most ten thousand steps, however they are added', async () => {
    const Desk = definePrompt({ ns: 'n', key: 'k', sections: [PlanningSection] });
    const app = await createApplication({ prompts: [Desk], logger: silent });
    const session = new Session();
    const rendered = await app.prompt(Desk).render({ session });
    const call = async (name: string, args: Record<string, unknown>) =>
      (await app.invoke(rendered, name, args, { session })).text;
    const steps = Array.from({ length: 6_000 }, () => 'Step.');
    await call('planning_setup_plan', { objective: 'Much.', initial_steps: steps });
    const refused = 'The plan would have 12000 steps, more than 10000. Put several into one, or write a new plan.';
    expect(await call('planning_add_step', { steps })).toContain(refused);
    expect(await call('planning_read_plan', {})).toContain('0 of 6000 steps done');
    expect(await call('planning_setup_plan', { objective: ' a'.repeat(500_000) })).toContain(
      'Shorten it to at most 500.',
    );
  });

  test.each(['append', 'overwrite', 'edit'])('HOST-15b a setuid bit does not survive a write: %s', async (how) => {
    const files = await openHost();
    const path = join(files.root, 'run');
    writeFileSync(path, '#!/bin/sh\n');
    chmodSync(path, 0o6755);
    if (how === 'edit') await files.edit('run', '/bin/sh', '/bin/bash');
    else await files.write('run', 'id\n', { mode: how === 'append' ? 'append' : 'overwrite' });
    expect((statSync(path).mode & 0o7777).toString(8)).toBe('755');
    await files.close();
  });
});
