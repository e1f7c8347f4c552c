// Run by jest as CommonJS, in a folder of packages/nestjs/scripts/cells.mjs.
import 'reflect-metadata';
import { checks } from './checks.js';

test.each(checks)('$title', ({ run }) => run());
