import { join } from 'node:path';
import { modelsStandAlone } from './models';
import { readTree, sourceTree } from './SourceTree';

const MODELS = ['session/serialisabilityModel.ts', 'session/serialisabilityOverlayModel.ts'];

describe('models import nothing else', () => {
  test('the models of the specs import nothing else', () => {
    expect(modelsStandAlone(MODELS)(readTree(join(__dirname, '../..')))).toEqual([]);
  });

  test.each([
    ["import { Session } from '../../src/session/Session';", '../../src/session/Session'],
    [
      "import type { DispatchContext } from '../../src/dispatch/DispatchContext.js';",
      '../../src/dispatch/DispatchContext.js',
    ],
    ["type S = import('../../src/session/Session').Session;", '../../src/session/Session'],
    ["const { Session } = await import('../../src/session/Session');", '../../src/session/Session'],
    ["export { deskOf } from '../dispatch/desk';", '../dispatch/desk'],
    ["import { Session } from 'toolwright';", 'toolwright'],
    ["const { Session } = require('toolwright');", 'toolwright'],
  ])('the rule for models reports %s', (text, specifier) => {
    const files = { 'session/M.ts': `// A model.\n${text}` };
    expect(modelsStandAlone(['session/M.ts'])(sourceTree(files))).toEqual([
      `spec/session/M.ts:2 imports ${specifier}, and is a model`,
    ]);
  });

  test('models may import each other and Node', () => {
    const files = { 'a/M.ts': "import { N } from './N';\nimport 'node:fs';", 'a/N.ts': "import { M } from './M.js';" };
    expect(modelsStandAlone(['a/M.ts', 'a/N.ts'])(sourceTree(files))).toEqual([]);
  });

  test('a model that is missing is reported', () => {
    expect(modelsStandAlone(['a/M.ts'])(sourceTree({}))).toEqual(['spec/a/M.ts is missing']);
  });
});
