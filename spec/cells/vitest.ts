// Run by vitest as ES modules, in a folder of scripts/nest-cells.mjs.
import 'reflect-metadata';
import { test } from 'vitest';
import { checks } from './checks.js';

test.each(checks)('$title', ({ run }) => run());
