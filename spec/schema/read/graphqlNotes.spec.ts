import 'reflect-metadata';
import { IsDefined, IsString } from 'class-validator';
import { Param, type Constructor } from 'toolwright';
import { schemaOf } from '../../../src/schema/emit/schemaOf';

const propertiesOf = (type: Constructor): Readonly<Record<string, unknown>> =>
  (schemaOf(type) as { readonly properties: Readonly<Record<string, unknown>> }).properties;

/** The stores of @nestjs/graphql 13 and 14, as far as they are read; packages/nestjs/spec/cells has the package itself. */
function openStores() {
  const fields = new Map<Constructor, Map<string, object>>();
  const waiting: (() => void)[] = [];
  const enums: { readonly ref: unknown }[] = [];
  const stores = {
    GqlLazyMetadataStorageHost: { load: () => waiting.splice(0).forEach((store) => store()) },
    GqlTypeMetadataStorage: {
      metadataByTargetCollection: {
        storageMap: {
          get: (type: Constructor) => ({
            fields: {
              getByName: (name: string) => fields.get(type)?.get(name),
              getAll: () => [...(fields.get(type) ?? [])].map(([name, notes]) => ({ ...notes, name })),
            },
          }),
        },
      },
      getEnumsMetadata: () => enums,
    },
  };
  const Field = (notes: object): PropertyDecorator => {
    return (prototype, property) => {
      const type = prototype.constructor as Constructor;
      waiting.push(() =>
        fields.set(type, (fields.get(type) ?? new Map<string, object>()).set(String(property), notes)),
      );
    };
  };
  return { stores, Field, enums };
}

describe('@Field of GraphQL', () => {
  const { stores, Field, enums } = openStores();
  beforeAll(() => Object.assign(globalThis, stores));
  afterAll(() => {
    for (const name of Object.keys(stores)) Reflect.deleteProperty(globalThis, name);
  });

  test('@Field of GraphQL describes a property where @Param does not, also in a class above, and names its registered enum', () => {
    enum Mood {
      Calm = 'calm',
      Angry = 'angry',
    }
    enums.push({ ref: Mood });
    class Base {
      @Field({ description: ' The id ' })
      @IsString()
      id!: string;
    }
    class Note extends Base {
      @Field({ description: 'Not this' })
      @Param('This')
      text!: string;

      @Field({ description: 'How it is meant', typeFn: () => Mood })
      @IsDefined()
      mood!: Mood;

      @Field({ description: 7, typeFn: () => String })
      @IsString()
      title!: string;
    }
    expect(propertiesOf(Note)).toEqual({
      id: { type: 'string', description: 'The id' },
      text: { type: 'string', description: 'This' },
      mood: { type: 'string', enum: ['calm', 'angry'], description: 'How it is meant' },
      title: { type: 'string' },
    });
  });

  test('E221 reports a property that only GraphQL’s @Field names, also where the compiler leaves nothing of it', () => {
    class Note {
      @Field({}) @IsString() id!: string;
      @Field({ description: 'Text' }) declare text: string;
    }
    class Draft extends Note {}
    for (const type of [Note, Draft])
      expect(() => propertiesOf(type)).toThrow(/E221 \w+\.text: it carries neither @Param nor @Field of toolwright/);
  });

  test('@Field of GraphQL is left alone where its type cannot be read', () => {
    const typeFn = (): never => {
      throw new ReferenceError('circular');
    };
    class Note {
      @Field({ description: 'Lost', typeFn })
      @IsString()
      text!: string;
    }
    expect(propertiesOf(Note)).toEqual({ text: { type: 'string' } });
  });
});
