// Run by jest as CommonJS, in a folder of scripts/nest-cells.mjs.
import 'reflect-metadata';
import { checks } from './checks.js';

test.each(checks)('$title', ({ run }) => run());
