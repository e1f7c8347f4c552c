// Creates the same schemas from declarations of other libraries, and starts an application with as many providers. Classes and zod
// objects are created beforehand and not timed, as in an application, where modules create them on loading.
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Type } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { IsNumber, IsOptional, IsString, Matches, MetadataStorage, Min, ValidateNested } from 'class-validator';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';
import 'reflect-metadata';
import { z } from 'zod';

/** Returns contenders. Each prepares a number of tools and returns the function to time, which lists the properties of each schema. */
export async function peers() {
  return {
    contenders: {
      'zod toJSONSchema': (count) => {
        const all = Array.from({ length: count }, zodParams);
        return () => all.map((schema) => propertiesOf(z.toJSONSchema(schema)));
      },
      'declarations and schemas, zod': (count) => () =>
        Array.from({ length: count }, () => propertiesOf(z.toJSONSchema(zodParams()))),
      'class-validator-jsonschema': (count) => {
        const { storage, names } = declareClasses(count);
        const options = {
          classValidatorMetadataStorage: storage,
          classTransformerMetadataStorage: defaultMetadataStorage,
        };
        return () => {
          const schemas = validationMetadatasToSchemas(options);
          return names.map((name) => propertiesOf(schemas[name]));
        };
      },
      'Nest application context': (count) => {
        const providers = Array.from({ length: count }, provider);
        class Root {}
        Module({ providers })(Root);
        return async () => {
          const context = await NestFactory.createApplicationContext(Root, { logger: false });
          const all = providers.map((each) => context.get(each) instanceof each);
          await context.close();
          return all;
        };
      },
    },
  };
}

const propertiesOf = ({ properties }) => Object.keys(properties).sort();

function zodParams() {
  return z.strictObject({
    id: z
      .string()
      .regex(/^#\d+$/)
      .describe('Id'),
    amount: z.number().min(1).default(1).describe('Amount'),
    note: z.string().optional().describe('Note'),
    inner: z.strictObject({
      street: z.string().describe('Street'),
      zip: z
        .string()
        .regex(/^\d{5}$/)
        .describe('Zip'),
    }),
  });
}

/** Declares classes in a new class-validator storage, because the converter reads every class of a storage. */
function declareClasses(count) {
  const shared = globalThis.classValidatorMetadataStorage;
  const storage = new MetadataStorage();
  globalThis.classValidatorMetadataStorage = storage;
  const names = Array.from({ length: count }, (_, index) => declareClass(index));
  globalThis.classValidatorMetadataStorage = shared;
  return { storage, names };
}

function declareClass(index) {
  const Inner = { [`Inner${index}`]: class {} }[`Inner${index}`];
  const Params = { [`Params${index}`]: class {} }[`Params${index}`];
  const rules = [
    [Inner, { street: [IsString()], zip: [Matches(/^\d{5}$/)] }],
    [
      Params,
      {
        id: [Matches(/^#\d+$/)],
        amount: [IsNumber(), Min(1), IsOptional()],
        note: [IsString(), IsOptional()],
        inner: [ValidateNested(), Type(() => Inner)],
      },
    ],
  ];
  for (const [type, fields] of rules)
    for (const [name, decorators] of Object.entries(fields))
      for (const decorate of decorators) decorate(type.prototype, name);
  return Params.name;
}

function provider() {
  class Service {}
  Injectable()(Service);
  return Service;
}
