import type { TestRunner } from '../options.js';
import type { ProjectFiles } from '../init/writeProject.js';
import { readTemplate } from '../packageFiles.js';

/** The files of an agent that `add` writes into one folder, by name. Imports between them end in `.js`. */
export interface Agent {
  readonly sources: ProjectFiles;
  readonly test: string;
}

/** Reads the agent of a Nest application from the templates: its section and prompt, their module, and a test. */
export function readNestAgent(runner: TestRunner): Agent {
  const names = ['orders.service.ts', 'desk.ts', 'agent.module.ts'];
  const sources = Object.fromEntries(names.map((name) => [name, readTemplate(`nest/src/${name}`)]));
  return { sources, test: testFor(runner, readTemplate('nest/src/agent.test.ts')) };
}

/**
 * Reads the agent of an application without a host: its section and prompt, the module that creates the application, and a test.
 *
 * @param app the path of the module that creates the application
 * @param hasEmittedTypes false if the compiler does not emit the types of decorated members, so the agent has to name them
 */
export function readPlainAgent(runner: TestRunner, app: string, hasEmittedTypes: boolean): Agent {
  const sources = {
    'desk.ts': readTemplate(hasEmittedTypes ? 'plain/src/desk.ts' : 'plain/src/desk.named.ts'),
    'app.ts': readTemplate('plain/src/app.ts').replace('src/agent/app.ts', app),
  };
  return { sources, test: testFor(runner, readTemplate('plain/src/desk.test.ts')) };
}

/** Rewrites a test of `node:test` for another runner: its imports and its comparisons. */
function testFor(runner: TestRunner, text: string): string {
  if (runner === 'node') return text;
  const imports = runner === 'vitest' ? "import { expect, test } from 'vitest';\n" : '';
  return text
    .replace("import { deepStrictEqual } from 'node:assert';\nimport { test } from 'node:test';\n", imports)
    .replace(/deepStrictEqual\((.+?), (.+)\);/g, 'expect($1).toEqual($2);');
}
