import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication, Type } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';

/** The HTTP platforms of Nest. */
export type Platform = 'express' | 'fastify';

/** A Nest application that listens on a free port. */
export interface Served {
  readonly nest: INestApplication;
  readonly url: string;
}

/** Options of a Nest application that decide how bodies are read. */
export interface BodyOptions {
  readonly bodyParser?: boolean;
  readonly rawBody?: boolean;
}

/** A case of the cells, without a test runner: each cell has its own. */
export interface Check {
  readonly title: string;
  run(): Promise<void>;
}

const PACKAGES = {
  express: ['@nestjs/platform-express', 'ExpressAdapter'],
  fastify: ['@nestjs/platform-fastify', 'FastifyAdapter'],
} as const;

/** Loads a platform by name: the packages of this repository have Express alone, the folders of the cells have both. */
async function adapterOf(platform: Platform): Promise<AbstractHttpAdapter> {
  const [name, member] = PACKAGES[platform];
  const loaded = (await import(name)) as Record<string, new () => AbstractHttpAdapter>;
  return new loaded[member]!();
}

/**
 * Starts a module on a platform.
 *
 * @param prepare called before the application listens: for prefixes, filters, middleware
 */
export async function listen(
  platform: Platform,
  module: Type,
  options: BodyOptions = {},
  prepare: (nest: INestApplication) => unknown = () => undefined,
): Promise<Served> {
  const given: object = { logger: false, ...options };
  const nest = await NestFactory.create(module, await adapterOf(platform), given);
  await prepare(nest);
  await nest.listen(0, '127.0.0.1');
  const { port } = (nest.getHttpServer() as Server).address() as AddressInfo;
  return { nest, url: `http://127.0.0.1:${String(port)}` };
}
