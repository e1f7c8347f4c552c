import * as fc from 'fast-check';
import { expandTemplate, readTemplate, variablesOf } from '../../src/client/uriTemplate';

const values = {
  var: 'value',
  hello: 'Hello World!',
  path: '/foo/bar',
  empty: '',
  x: '1024',
  y: '768',
  list: ['red', 'green', 'blue'],
  half: '50%',
  base: 'http://example.com/home/',
  smile: '😀%4z',
  who: 'fred',
  none: undefined,
  nothing: [],
};

function expand(template: string): string {
  const read = readTemplate(template);
  return read === undefined ? 'no template' : expandTemplate(read, values);
}

describe('templates of RFC 6570', () => {
  // The expansions of its section 3.2, for texts and lists.
  test.each([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['O{empty}X', 'OX'],
    ['O{none}X', 'OX'],
    ['{x,y}', '1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['?{x,empty}', '?1024,'],
    ['?{x,none}', '?1024'],
    ['?{none,y}', '?768'],
    ['{var:3}', 'val'],
    ['{var:30}', 'value'],
    ['{smile:1}', '%F0%9F%98%80'],
    ['{list}', 'red,green,blue'],
    ['{list*}', 'red,green,blue'],
    ['O{nothing}X', 'OX'],
    ['{+var}', 'value'],
    ['{+hello}', 'Hello%20World!'],
    ['{+half}', '50%25'],
    ['{+smile}', '%F0%9F%98%80%254z'],
    ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
    ['{+base}index', 'http://example.com/home/index'],
    ['{+path}/here', '/foo/bar/here'],
    ['here?ref={+path}', 'here?ref=/foo/bar'],
    ['{+x,hello,y}', '1024,Hello%20World!,768'],
    ['{+path:6}/here', '/foo/b/here'],
    ['{+list*}', 'red,green,blue'],
    ['{#hello}', '#Hello%20World!'],
    ['foo{#none}', 'foo'],
    ['foo{#empty}', 'foo#'],
    ['{#path:6}here', '#/foo/bhere'],
    ['{.who,who}', '.fred.fred'],
    ['X{.list}', 'X.red,green,blue'],
    ['X{.list*}', 'X.red.green.blue'],
    ['{/who,who}', '/fred/fred'],
    ['{/half,who}', '/50%25/fred'],
    ['{/var,empty}', '/value/'],
    ['{/var:1,var}', '/v/value'],
    ['{/list*}', '/red/green/blue'],
    ['{;who}', ';who=fred'],
    ['{;empty}', ';empty'],
    ['{;hello:5}', ';hello=Hello'],
    ['{;list}', ';list=red,green,blue'],
    ['{;list*}', ';list=red;list=green;list=blue'],
    ['{?x,y}', '?x=1024&y=768'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['{?x,y,none}', '?x=1024&y=768'],
    ['{?var:3}', '?var=val'],
    ['{?list*}', '?list=red&list=green&list=blue'],
    ['{?nothing}', ''],
    ['{&x,y,empty}', '&x=1024&y=768&empty='],
    ['{&var:3}', '&var=val'],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['\u00e4/{x}', '%C3%A4/1024'],
  ])('the URI template %s expands to %s', (template, uri) => {
    expect(expand(template)).toBe(uri);
  });

  test.each(['{', '}', 'a{b', '{}', '{a,}', '{=a}', '{a b}', '{a:0}', '{a:99999}', 'x'.repeat(2_001)])(
    '%s is no template',
    (template) => {
      expect(expand(template)).toBe('no template');
    },
  );

  test('a value gets no further than its own place, whatever it is', () => {
    const template = readTemplate('files://{id}/end{?q}');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        if (template === undefined) throw new Error('no template');
        const uri = expandTemplate(template, { id, q: id });
        expect(uri.replace(/%[0-9A-F]{2}/g, '')).toMatch(/^files:\/\/[\w.~-]*\/end\?q=[\w.~-]*$/);
      }),
    );
  });

  test('a template of RFC 6570 says which variables there are, and without which there is no URI', () => {
    const template = readTemplate('a/{id}{/rest*}{?q,id}{#part}');
    expect(template === undefined ? [] : variablesOf(template).map(({ name, required }) => [name, required])).toEqual([
      ['id', true],
      ['rest', true],
      ['q', false],
      ['part', false],
    ]);
  });
});
