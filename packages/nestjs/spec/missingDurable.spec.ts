import 'reflect-metadata';
import { Test } from '@nestjs/testing';
import { Prompt } from 'toolwright';
import type { RunsOptions } from '@toolwright/durable';
import { ToolwrightModule } from '@toolwright/nestjs';
import { silent } from '../../../spec/support/silent.js';

jest.mock('@toolwright/durable', () => {
  throw Object.assign(new Error("Cannot find package '@toolwright/durable'"), { code: 'ERR_MODULE_NOT_FOUND' });
});

test('the option runs without @toolwright/durable names the package to install', async () => {
  @Prompt({ ns: 'shop', key: 'desk', sections: [] })
  class Desk {}
  const options = { logger: silent, prompts: [Desk], runs: {} as RunsOptions };
  const module = await Test.createTestingModule({
    imports: [ToolwrightModule.forRoot(options)],
    providers: [Desk],
  }).compile();
  const nest = module.createNestApplication();
  nest.useLogger(false);
  await expect(nest.init()).rejects.toMatchObject({
    code: 'E415',
    place: 'ToolwrightModule.forRoot({ runs })',
    remedy: 'npm install @toolwright/durable',
  });
});
