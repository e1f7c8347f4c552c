import fc from 'fast-check';
import { defineSection, Section, Tool } from 'toolwright';
import { keyFromClassName, snakeCase } from '../../src/common/text.js';
import { toolsOf } from '../builder/toolsOf.js';

const identifier = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,31}$/);

describe('snakeCase', () => {
  test.each([
    ['lookupEntity', 'lookup_entity'],
    ['getURL', 'get_url'],
    ['getUrl', 'get_url'],
    ['parseHTMLPage', 'parse_html_page'],
    ['HTMLParser', 'html_parser'],
    ['count', 'count'],
    ['Count', 'count'],
    ['URL', 'url'],
    ['aB', 'a_b'],
    ['v2Api', 'v2_api'],
    ['getV2', 'get_v2'],
    ['top10', 'top10'],
    ['already_snake', 'already_snake'],
    ['_private', '_private'],
    ['', ''],
  ])('snakeCase turns %j into %j', (name, expected) => {
    expect(snakeCase(name)).toBe(expected);
  });

  test('snakeCase makes a legal tool name of any identifier of letters and digits', () => {
    fc.assert(
      fc.property(identifier, (name) => {
        expect(snakeCase(name)).toMatch(/^[a-z0-9_-]{1,64}$/);
      }),
    );
  });

  test('snakeCase only adds underscores and lowers letters; a second time changes nothing', () => {
    fc.assert(
      fc.property(identifier, (name) => {
        expect(snakeCase(name).replaceAll('_', '')).toBe(name.toLowerCase());
        expect(snakeCase(snakeCase(name))).toBe(snakeCase(name));
      }),
    );
  });

  test('DECL-01 derived camelCase name: any method name of letters and digits becomes an accepted tool name', async () => {
    await fc.assert(
      fc.asyncProperty(identifier, async (name) => {
        const type = { [name]: class {} }[name]!;
        Object.defineProperty(type.prototype, name, { value: () => 'done', configurable: true });
        const descriptor = Object.getOwnPropertyDescriptor(type.prototype, name);
        Tool('Does it.')(type.prototype, name, descriptor as TypedPropertyDescriptor<() => string>);
        Section({ key: 'only', title: 'Only' })(type);
        expect((await toolsOf(type)).map((tool) => tool.name)).toEqual([snakeCase(name)]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('keyFromClassName', () => {
  test.each([
    ['OrdersSection', 'orders'],
    ['RefundPolicy', 'refund-policy'],
    ['RefundPolicySection', 'refund-policy'],
    ['OrdersService', 'orders'],
    ['OrdersTools', 'orders'],
    ['Service', 'service'],
    ['Section', 'section'],
    ['SectionSection', 'section'],
    ['SectionOfOrders', 'section-of-orders'],
    ['HTTPLogSection', 'http-log'],
    ['Top10Section', 'top10'],
    ['my_Section', 'my-'],
    ['', ''],
  ])('keyFromClassName turns %j into %j', (name, expected) => {
    expect(keyFromClassName(name)).toBe(expected);
  });

  test('keyFromClassName makes a legal key of any class name of letters and digits', () => {
    const className = fc.stringMatching(/^[A-Z][A-Za-z0-9]{0,31}$/);
    fc.assert(
      fc.property(className, (name) => {
        expect(keyFromClassName(name)).toMatch(/^[a-z0-9][a-z0-9_-]{0,63}$/);
        expect(keyFromClassName(`${name}Section`)).toBe(
          keyFromClassName(name.replace(/(?<=.)Section$/, '') + 'Section'),
        );
      }),
    );
  });

  test('defineSection always names its key', async () => {
    expect(await toolsOf(defineSection({ key: 'given', title: 'Given' }))).toEqual([]);
  });
});
