import 'reflect-metadata';
import { doorsOf } from './cells/doors.js';

// Wide, for machines that run everything at once. `npm run -w @toolwright/nestjs cells` runs the same on Fastify, and on the packed package.
jest.setTimeout(60_000);

test.each(doorsOf('express'))('$title', ({ run }) => run());
