import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspectorHandler, type InspectorHandler } from '@toolwright/inspector';
import { Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Prompt, Section, Tool } from 'toolwright';
import { Toolwright, ToolwrightModule } from '@toolwright/nestjs';

jest.setTimeout(60_000);

@Section({ title: 'Words' })
class Words {
  @Tool('Says a word.')
  say(): string {
    return 'word';
  }
}

@Prompt({ ns: 'shop', key: 'desk', sections: [Words] })
class Desk {}

@Module({ imports: [ToolwrightModule.forRoot()], providers: [Desk, Words] })
class AppModule {}

// As docs/inspector.md says: Express asks only middleware that was there before Nest's routes, and the application comes with them.
test('the inspector is mounted in Nest before its application exists, and answers once it does', async () => {
  Logger.overrideLogger(false);
  const nest = await NestFactory.create(AppModule);
  let inspector: InspectorHandler | undefined = undefined;
  type Handle = InspectorHandler['handle'];
  nest.use((request: Parameters<Handle>[0], response: Parameters<Handle>[1], next: () => void) => {
    if (inspector?.handle(request, response) !== true) next();
  });
  await nest.init();
  inspector = await inspectorHandler({ app: nest.get(Toolwright).app }, { path: '/inspector' });
  try {
    await nest.listen(0, '127.0.0.1');
    const url = `http://127.0.0.1:${String(((nest.getHttpServer() as Server).address() as AddressInfo).port)}`;
    const [, token = ''] = inspector.path.split('token=');
    const headers = { authorization: `Bearer ${token}` };
    const about = await fetch(`${url}/inspector/api/about`, { headers });
    expect([about.status, JSON.stringify(await about.json())]).toEqual([200, expect.stringContaining('kept')]);
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404);
  } finally {
    inspector.close();
    await nest.close();
  }
});
