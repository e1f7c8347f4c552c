// Run by `node --test` as ES modules, in a folder of packages/nestjs/scripts/cells.mjs.
import 'reflect-metadata';
import { test } from 'node:test';
import { checks } from './checks.js';

for (const { title, run } of checks) void test(title, run);
