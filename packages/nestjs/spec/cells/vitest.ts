// Run by vitest as ES modules, in a folder of packages/nestjs/scripts/cells.mjs.
import 'reflect-metadata';
import { test } from 'vitest';
import { checks } from './checks.js';

test.each(checks)('$title', ({ run }) => run());
