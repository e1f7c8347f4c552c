import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DeskModule, type DeskOptions } from './desk.module.js';

/** A desk that listens. */
export interface ServedDesk {
  readonly url: string;
  close(): Promise<void>;
}

// The page needs nothing from elsewhere. Style sheets of components are no inline styles.
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'";

/**
 * Starts the desk on the loopback interface.
 *
 * @param options.page the folder of the built page; left out to serve the routes alone
 * @param options.port 0 for any free one
 */
export async function serveDesk({
  page,
  port,
  ...desk
}: DeskOptions & { readonly page?: string; readonly port: number }): Promise<ServedDesk> {
  Logger.overrideLogger(['error']);
  const nest = await NestFactory.create<NestExpressApplication>(DeskModule.open(desk));
  // Nest's own limit of 100 kB would be below that of the chats.
  nest.useBodyParser('json', { limit: '10mb' });
  nest.disable('x-powered-by');
  nest.use((_request: unknown, response: { setHeader(name: string, value: string): void }, next: () => void) => {
    response.setHeader(
      'content-security-policy',
      `${POLICY}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    );
    response.setHeader('x-content-type-options', 'nosniff');
    next();
  });
  if (page !== undefined) nest.useStaticAssets(page);
  nest.enableShutdownHooks();
  await nest.listen(port, '127.0.0.1');
  const { port: used } = nest.getHttpServer().address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(used)}`, close: () => nest.close() };
}
