import 'reflect-metadata';
import { IsString } from 'class-validator';
import { Param, type Constructor } from 'toolwright';
import { schemaOf } from '../../../src/schema/emit/schemaOf';

/** Writes metadata as `@ApiProperty` of @nestjs/swagger does. */
function ApiProperty(noted: Readonly<Record<string, unknown>>): PropertyDecorator {
  return (prototype, property) => {
    const before = (Reflect.getMetadata('swagger/apiModelPropertiesArray', prototype) ?? []) as readonly string[];
    Reflect.defineMetadata('swagger/apiModelPropertiesArray', [...before, `:${String(property)}`], prototype);
    Reflect.defineMetadata('swagger/apiModelProperties', noted, prototype, property);
  };
}

const propertiesOf = (type: Constructor): Readonly<Record<string, unknown>> =>
  (schemaOf(type) as { readonly properties: Readonly<Record<string, unknown>> }).properties;

test('descriptions, examples and enums of @ApiProperty are read where @Param has none', () => {
  class Order {
    @ApiProperty({ description: ' Order id ', example: '42' })
    @IsString()
    id!: string;

    @ApiProperty({ description: 'Not this', example: 'nor this', enum: ['x'] })
    @Param({ description: 'This', enum: ['a', 'b'] })
    kind!: string;

    @ApiProperty({ enum: ['open', 'closed'] })
    @Param({})
    status!: string;

    @ApiProperty({ description: 7, enum: 'no list' })
    @Param('Text')
    text!: string;
  }
  expect(propertiesOf(Order)).toEqual({
    id: { type: 'string', description: 'Order id (e.g. "42")' },
    kind: { enum: ['a', 'b'], description: 'This', type: 'string' },
    status: { enum: ['open', 'closed'], type: 'string' },
    text: { type: 'string', description: 'Text' },
  });
});

test('E221 reports a property that only @ApiProperty names, also where the compiler leaves nothing of it', () => {
  class Order {
    @ApiProperty({}) @IsString() id!: string;
    @ApiProperty({ description: 'Text' }) declare text: string;
  }
  class Draft extends Order {}
  for (const type of [Order, Draft])
    expect(() => propertiesOf(type)).toThrow(/E221 \w+\.text: it carries neither @Param nor @Field of toolwright/);
});
