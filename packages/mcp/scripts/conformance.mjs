// `npm run -w @toolwright/mcp conformance`: the official conformance suite of MCP against what this package serves. The fixture is
// packages/mcp/spec/support/serverConformance.ts over the built package. With names of revisions, only their sets run.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { build } from '../../../scripts/build.mjs';
import { node24 } from '../../../scripts/node24.mjs';
import { fail, root, temporaryFolder } from '../../../scripts/process.mjs';
