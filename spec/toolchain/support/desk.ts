import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sources } from './Workspace.js';

const source = (name: string): string => readFileSync(join(__dirname, '../application', `${name}.ts`), 'utf8');

/**
 * The fixture application as a project that exports its report as `said`: with the compiler's types, with every type named, or with
 * standard decorators.
 */
export function deskProject(desk: 'Desk' | 'ExplicitDesk' | '../standard/Desk' = 'Desk'): Sources {
  return {
    'src/main.ts': `
      import { container, Desk } from './Desk.js';
      import { report } from './report.js';
      export const said = report(Desk, container);
    `,
    'src/Desk.ts': source(desk),
    'src/report.ts': source('report'),
    'src/shared.ts': source(desk === '../standard/Desk' ? '../standard/shared' : 'shared'),
  };
}
