import { inspect } from 'node:util';
import fc from 'fast-check';
import { createApplication, definePrompt, Param, Section, Tool } from 'toolwright';
import { SecretRedaction } from '../../src/dispatch/redact/SecretRedaction.js';
import { Redaction } from '../../src/dispatch/redact/Redaction.js';
import { SecretTexts } from '../../src/dispatch/redact/SecretTexts.js';
import type { RenderedPrompt } from '../../src/prompt/RenderedPrompt.js';
import { HIDDEN } from '../../src/schema/write/secrets.js';
import type { Message } from '../../src/value/Message.js';

/** The longest secret at each place; what begins within one before extends it. */
function hiddenSlowly(secrets: readonly string[], text: string): string {
  let [shown, from] = ['', 0];
  for (let at = 0; at < text.length; at++) {
    const here = secrets.filter((secret) => text.startsWith(secret, at)).map(({ length }) => at + length);
    const end = Math.max(0, ...here);
    if (end <= from) continue;
    if (at >= from) shown += text.slice(from, at) + HIDDEN;
    from = end;
  }
  return shown + text.slice(from);
}

describe('secret texts', () => {
  // Few letters, so that secrets overlap, begin alike, and occur.
  const letters = fc.constantFrom('a', 'b', 'ā', '\u{1f511}');
  const secret = fc.string({ unit: letters, minLength: 4, maxLength: 7 });

  test('secret texts are hidden wherever they occur, one placeholder for those that overlap', () => {
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 5 }), fc.string({ unit: letters, maxLength: 30 }), (secrets, text) => {
        const texts = new SecretTexts(secrets);
        expect(texts.hideSecrets(text)).toBe(hiddenSlowly(secrets, text));
        for (const each of secrets) expect([texts.has(each), texts.hideSecrets(each)]).toEqual([true, HIDDEN]);
      }),
    );
  });

  describe('HOST-14g are found as writers of addresses and JSON write them', () => {
    const hexed = (text: string): string =>
      [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const inUrl = (change: (url: URL) => void): string => {
      const url = new URL('https://u@h.example/');
      change(url);
      return url.href;
    };
    const WRITERS: Readonly<Record<string, (secret: string) => string>> = {
      itself: (secret) => secret,
      encodeURIComponent,
      encodeURI,
      URLSearchParams: (secret) => new URLSearchParams({ key: secret }).toString(),
      'the search params of a URL': (secret) => inUrl(({ searchParams }) => searchParams.set('key', secret)),
      'the password of a URL': (secret) => inUrl((url) => (url.password = secret)),
      'lower-case hexadecimal digits': (secret) =>
        encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
      'RFC 3986': (secret) =>
        encodeURIComponent(secret).replaceAll(/[!'()*]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`),
      'every byte': hexed,
      'JSON.stringify': (secret) => JSON.stringify({ a: secret }),
      'json.dumps of Python': (secret) => JSON.stringify(secret).replaceAll(/[^\0-~]/g, escaped),
      'json_encode of PHP': (secret) =>
        JSON.stringify(secret)
          .replaceAll('/', '\\/')
          .replaceAll(/[^\0-~]/g, escaped),
      'json.Marshal of Go': (secret) => JSON.stringify(secret).replaceAll(/[<>&]/g, escaped),
      'util.inspect': (secret) => inspect({ a: secret }, { breakLength: Infinity }),
    };
    const characters = fc.constantFrom(
      ...Array.from(`!'()*~-_.@:$,;=&+#[]{}|\\^\`<>"/?% \n\u0001é一\u{1f511}`),
      'n',
      'u',
      '4',
      '1',
    );
    const awkward = fc.string({ unit: characters, minLength: 4, maxLength: 12 }).map((text) => `Zq${text}qZ`);

    test.each(Object.entries(WRITERS))('HOST-14g a secret text is found in the form: %s', (_name, write) => {
      fc.assert(
        fc.property(awkward, (secret) => {
          // An address drops line ends and what follows them is another text.
          fc.pre(!(write(secret).startsWith('https:') && secret.includes('\n')));
          const written = write(secret);
          const shown = new SecretTexts([secret]).hideSecrets(`before "${written}" after`);
          expect(shown).toMatch(/^before ".*\[secret\].*" after$/);
          expect(shown).not.toContain('Zq');
        }),
      );
    });

    test('secrets are found that one writer writes within another', () => {
      const names = fc.constantFrom(...Object.keys(WRITERS).filter((name) => !/inspect|URL|encodeURI$/.test(name)));
      fc.assert(
        fc.property(awkward, fc.array(names, { minLength: 2, maxLength: 5 }), (secret, layers) => {
          const written = layers.reduce((text, layer) => WRITERS[layer]?.(text) ?? text, secret);
          expect(new SecretTexts([secret]).hideSecrets(`x ${written} y`)).toMatch(/^x .*\[secret\].* y$/s);
        }),
      );
    });

    test('secrets are found in JSON in JSON, up to six times, and in percent-encoding, up to three times', () => {
      const [secret, texts] = ['Zq"c\\d é', new SecretTexts(['Zq"c\\d é'])];
      let [json, address] = [secret, secret];
      for (let times = 0; times < 6; times++)
        expect(texts.hideSecrets((json = JSON.stringify(json)))).not.toContain('Zq');
      for (let times = 0; times < 3; times++)
        expect(texts.hideSecrets((address = encodeURIComponent(address)))).toBe(HIDDEN);
      for (let times = 0; times < 3; times++) json = encodeURIComponent(json);
      expect(texts.hideSecrets(json)).not.toContain('Zq');
    });

    test('secrets that an address encodes in part are found, also where the secret looks encoded already', () => {
      for (const secret of [`pä'ss{w}|ord`, 'a%41{b|c', '100%2541{x}'])
        for (const url of [
          new URL(`https://h/${secret}`),
          new URL(`https://h/?q=${secret}`),
          new URL(`https://h/#${secret}`),
        ])
          expect(new SecretTexts([secret]).hideSecrets(url.href)).toMatch(/^https:\/\/h\/[?q=#]*\[secret\]$/);
    });

    test('the text around an encoded secret stays as it was written', () => {
      const texts = new SecretTexts(['a"b!c', 'plain word']);
      expect(texts.hideSecrets('100% \\d \\"x\\" %41 a%22b%21c&d=%41+\\u0041, plain+word.')).toBe(
        `100% \\d \\"x\\" %41 ${HIDDEN}&d=%41+\\u0041, ${HIDDEN}.`,
      );
      expect(texts.hideSecrets('a"b!ca%22b!c %')).toBe(`${HIDDEN}${HIDDEN} %`);
      expect(texts.hideSecrets('%E4 %C3 %F0%9F%94 %u00e4 \\x41 \\u00 %')).toBe(
        '%E4 %C3 %F0%9F%94 %u00e4 \\x41 \\u00 %',
      );
    });

    test('secrets in the bytes of Latin-1, which older servers write, are found', () => {
      expect(new SecretTexts(['Zürich@9']).hideSecrets('x=Z%FCrich%409')).toBe(`x=${HIDDEN}`);
      expect(new SecretTexts(['Zü一rich']).hideSecrets('x=Z%FC%u4E00rich')).toBe(`x=${HIDDEN}`);
    });

    test('a text of more layers than that is hidden as a whole', () => {
      expect(new SecretTexts(['abcd']).hideSecrets(`x%${'25'.repeat(30)}41`)).toBe(HIDDEN);
    });
  });

  test('texts without escapes are searched once, and those with escapes once for each layer', () => {
    const searched = jest.spyOn(String.prototype, 'charCodeAt');
    try {
      const units = (text: string): number => {
        searched.mockClear();
        new SecretTexts(['password']).hideSecrets(text);
        return searched.mock.calls.length / text.length;
      };
      expect(units('a'.repeat(1_000))).toBeLessThan(1.1);
      expect(units('100% a'.repeat(200))).toBeLessThan(3);
      expect(units('\\u0041'.repeat(200))).toBeLessThan(4);
    } finally {
      searched.mockRestore();
    }
  });

  test('HOST-14e secret texts of thousands of calls take little memory each: most texts are short', () => {
    const Plain = Uint8Array;
    const cleared = jest
      .spyOn(globalThis, 'Uint8Array')
      .mockImplementation((...size: unknown[]) => new Plain(size[0] as number));
    try {
      for (let call = 0; call < 1_000; call++) {
        const secret = `secret-${String(call)}-value`;
        expect(new SecretTexts([secret]).hideSecrets(`It is ${secret}.`)).toBe(`It is ${HIDDEN}.`);
      }
      expect(cleared).not.toHaveBeenCalled();
      expect(new SecretTexts(['secret']).hideSecrets(`${'x'.repeat(20_000)}secret`)).toBe(
        `${'x'.repeat(20_000)}${HIDDEN}`,
      );
      expect(cleared).toHaveBeenCalledTimes(1);
    } finally {
      cleared.mockRestore();
    }
  });

  test('secret texts are hidden at the beginning of a text, whatever its characters', () => {
    for (const each of ['ĀĀĀĀ', '一一一一', '\u3000'.repeat(5)])
      expect(new SecretTexts([each]).hideSecrets(`${each} it is`)).toBe(`${HIDDEN} it is`);
  });

  test('secrets that overlap have one placeholder, and others one each', () => {
    expect(new SecretTexts(['abcd', 'cdef']).hideSecrets('-abcdef-')).toBe(`-${HIDDEN}-`);
    expect(new SecretTexts(['abcd', 'cdef']).hideSecrets('abcdcdef')).toBe(HIDDEN + HIDDEN);
  });

  test('secret texts are listed with the longest first', () => {
    expect(new SecretTexts(['abcd', 'abcdef', 'abcde']).all).toEqual(['abcdef', 'abcde', 'abcd']);
    expect(new SecretRedaction(undefined).secrets).toEqual([]);
  });

  test('a text that takes too many comparisons is hidden from there on', () => {
    const alike = Array.from({ length: 500 }, (_, index) => `${'a'.repeat(1_000)}${String(index).padStart(3, 'b')}`);
    const texts = new SecretTexts([...alike, 'password']);
    const shown = texts.hideSecrets(`before password, ${'a'.repeat(5_000)} and after`);
    expect(shown).toMatch(/^before \[secret\], a{1,30}\[secret\]$/);
    expect(texts.hideSecrets('aaaa')).toBe(HIDDEN);
    expect(texts.hideSecrets('nothing')).toBe('nothing');
  });

  test('many short secrets are compared no longer than few long ones', () => {
    const alike = Array.from({ length: 1_000 }, (_, index) => `aaaa${String(index).padStart(4, 'b')}`);
    expect(new SecretTexts(alike).hideSecrets('a'.repeat(1_000))).toMatch(/^a{300,400}\[secret\]$/);
  });
});

class SignIn {
  @Param('Host') host!: string;
  @Param({ description: 'Key', secret: true }) key!: string;
  @Param({ description: 'Port', name: 'port_number', optional: true }) port?: number;
}

@Section({ key: 'access', title: 'Access' })
class Access {
  @Tool('Signs in.')
  signIn(_params: SignIn): string {
    return 'done';
  }

  @Tool('Says something.')
  say(@Param('text', 'Text') text: string): string {
    return text;
  }
}

async function tools(): Promise<RenderedPrompt['toolsByName']> {
  const Desk = definePrompt({ ns: 'test', key: 'desk', sections: [Access] });
  const app = await createApplication({ prompts: [Desk] });
  return (await app.prompt(Desk).render()).toolsByName;
}

describe('a transcript', () => {
  const native = { provider: 'x', items: ['as it came'] } as never;
  const asked = (name: string, args: string | Record<string, unknown>): Message => ({
    role: 'assistant',
    content: 'One moment.',
    native,
    toolCalls: [
      { id: 'c0', name: 'say', arguments: { text: 'hello' } },
      { id: 'c1', name, arguments: args },
    ],
  });

  test('a transcript keeps the form of the provider as long as nothing in it was hidden', async () => {
    const toolsByName = await tools();
    const kept = asked('say', { text: 'there' });
    expect(new Redaction().redactTranscript([kept], toolsByName)).toEqual([kept]);
    expect(new Redaction((text) => text).redactTranscript([kept], toolsByName)).toEqual([kept]);
    const plain: Message = { role: 'assistant', content: 'Hello', native };
    expect(new Redaction().redactTranscript([plain], toolsByName)).toEqual([plain]);
    const [bare] = new Redaction().redactTranscript([{ role: 'assistant', content: 'Hello' }], toolsByName);
    expect(bare).toStrictEqual({ role: 'assistant', content: 'Hello' });
  });

  test('a transcript leaves it out once a call or the hook has hidden something', async () => {
    const toolsByName = await tools();
    const [secret] = new Redaction().redactTranscript([asked('sign_in', { host: 'h', key: 'k-4711' })], toolsByName);
    expect(secret).toStrictEqual({
      role: 'assistant',
      content: 'One moment.',
      toolCalls: [
        { id: 'c0', name: 'say', arguments: { text: 'hello' } },
        { id: 'c1', name: 'sign_in', arguments: { host: 'h', key: HIDDEN } },
      ],
    });
    const hook = (text: string): string => text.replace('came', '…');
    const [redacted] = new Redaction(hook).redactTranscript([asked('say', { text: 'there' })], toolsByName);
    expect(redacted).not.toHaveProperty('native');
  });

  test('a transcript hides all arguments of an unknown tool where a tool has secrets, in the form in which they came', async () => {
    const toolsByName = await tools();
    const argumentsOf = (args: unknown): unknown =>
      new Redaction().call({ id: 'c', name: 'sing_in', arguments: args as string }, toolsByName).arguments;
    expect(argumentsOf({ host: 'h', key: 7 })).toEqual({ host: HIDDEN, key: HIDDEN });
    expect(argumentsOf('{"key":"k"}')).toBe(`{"key":"${HIDDEN}"}`);
    for (const other of ['["k"]', '{"key":"k', 'k-4711', null]) expect(argumentsOf(other)).toBe(HIDDEN);
    const harmless = new Map([...toolsByName].filter(([name]) => name === 'say'));
    const call = { id: 'c', name: 'sing_in', arguments: { key: 'k' } };
    expect(new Redaction().call(call, harmless)).toBe(call);
  });

  test('a transcript shows what is no secret under the name that the model knows', async () => {
    const given = { host: 'h', key: 'k-4711', port_number: 22 };
    const call = { id: 'c', name: 'sign_in', arguments: given };
    expect(new Redaction().call(call, await tools()).arguments).toEqual({ ...given, key: HIDDEN });
  });

  test('a transcript hides arguments that refer to themselves as a whole', async () => {
    const circle: Record<string, unknown> = { host: 'h' };
    circle['key'] = [circle];
    const call = { id: 'c', name: 'sign_in', arguments: circle };
    expect(new Redaction().call(call, await tools()).arguments).toBe(HIDDEN);
  });

  test('a transcript has neither a secret nor its JSON form elsewhere in the call, as a text or as a number', async () => {
    const toolsByName = await tools();
    const of = (key: unknown) => new Redaction().ofCall(toolsByName.get('sign_in'), { host: 'h', key });
    const quoted = of('a"b"c');
    expect(quoted?.redact({ 'a"b"c': 'in a\\"b\\"c, and a"b"c' })).toEqual({
      [HIDDEN]: `in ${HIDDEN}, and ${HIDDEN}`,
    });
    expect(of(4711)?.redact({ given: 4711, other: 4712, big: 4711n })).toEqual({
      given: HIDDEN,
      other: 4712,
      big: HIDDEN,
    });
    expect(of('abc')?.redact('abc is short')).toBe('abc is short');
    expect(of(7)?.redact({ count: 7 })).toEqual({ count: 7 });
    expect(of('abcd')?.redact('abcd')).toBe(HIDDEN);
  });

  test('a transcript writes each line of a log at its level', () => {
    const lines: unknown[] = [];
    const at = (level: string) => (message: string) => void lines.push([level, message]);
    const plain = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
    const logger = new SecretRedaction((text) => text.toUpperCase()).wrapLogger(plain);
    for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level]('a');
    expect(lines).toEqual(['debug', 'info', 'warn', 'error'].map((level) => [level, 'A']));
  });

  test('the hook of a transcript changes keys as well; a key that it would hide as a whole stays', () => {
    const hook = (text: string): string => text.replace(/^sk-.*/, '(key)');
    const hidden = (): string => HIDDEN;
    const shownBy = [new Redaction(hook), new SecretRedaction(hook)].map((one) => one.redact({ 'sk-1': 'sk-2', n: 1 }));
    const hiddenBy = [new Redaction(hidden), new SecretRedaction(hidden)].map((one) => one.redact({ a: 'b', n: 1 }));
    expect(shownBy).toEqual([
      { '(key)': '(key)', n: 1 },
      { '(key)': '(key)', n: 1 },
    ]);
    expect(hiddenBy).toEqual([
      { a: HIDDEN, n: 1 },
      { a: HIDDEN, n: 1 },
    ]);
  });
});
