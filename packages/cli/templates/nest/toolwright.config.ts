import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Toolwright } from '@toolwright/nestjs';
import { AppModule } from './src/app.module.js';

// The command line loads this: npx toolwright check, render, tools, call, run.
export default async () => {
  const nest = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
  return { app: nest.get(Toolwright).app, close: () => nest.close() };
};
