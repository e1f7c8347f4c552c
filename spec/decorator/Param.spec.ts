import 'reflect-metadata';
import { Field, Param, Section, Tool, type ParamOptions } from 'toolwright';
import type { ParameterParamDecorator } from 'toolwright/types';
import { findArgs } from '../../src/metadata/args/MetadataArgsStorage.js';
import { refusalOf } from '../builder/refusalOf.js';
import { toolsOf } from '../builder/toolsOf.js';

describe('Param', () => {
  test('Param describes properties: a description or options, in the order of the class', () => {
    class GetOrderParams {
      @Param('Order id') orderId!: string;
      @Param({ description: 'How many', min: 1 }) limit = 5;
      @Field('Customer') customer!: string;
    }
    expect(findArgs(GetOrderParams)?.properties).toEqual([
      { property: 'orderId', options: { description: 'Order id' }, misused: false },
      { property: 'limit', options: { description: 'How many', min: 1 }, misused: false },
      { property: 'customer', options: { description: 'Customer' }, misused: false },
    ]);
  });

  test('Param describes parameters: the name, then a description or options', () => {
    class WeatherSection {
      @Tool('Current weather.')
      weather(@Param('city', 'City') city: string, @Param('unit', { enum: ['C', 'F'] }) unit: string) {}
    }
    expect(findArgs(WeatherSection)?.parameters).toEqual([
      { member: 'weather', index: 1, name: 'unit', options: { enum: ['C', 'F'] }, misused: false },
      { member: 'weather', index: 0, name: 'city', options: { description: 'City' }, misused: false },
    ]);
    expect(findArgs(WeatherSection)?.properties).toEqual([]);
  });

  test('options that a subclass repeats are added to the options of its parent', async () => {
    class Base {
      @Param({ description: 'Order id', minLength: 2 }) orderId!: string;
      @Param('Limit') limit!: number;
    }
    class Child extends Base {
      @Param({ description: 'Order id, with #' }) declare orderId: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch one order.') getOrder(params: Child) {}
    }
    expect((await toolsOf(OrdersSection))[0]?.schema).toMatchObject({
      properties: { orderId: { type: 'string', description: 'Order id, with #', minLength: 2 }, limit: {} },
      required: ['orderId', 'limit'],
    });
  });

  test('E207: the form of parameters on a property is refused', async () => {
    class GetOrderParams {
      declare orderId: string;
    }
    Reflect.defineMetadata('design:type', String, GetOrderParams.prototype, 'orderId');
    (Param('orderId', 'Order id') as (prototype: object, property: string) => void)(
      GetOrderParams.prototype,
      'orderId',
    );
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch one order.') getOrder(params: GetOrderParams) {}
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal).toMatchObject({ code: 'E207', place: 'GetOrderParams.orderId', paramsType: 'GetOrderParams' });
    expect(refusal.remedy).toContain("@Param('description') on properties");
  });

  test('E207: the form of properties on a parameter is refused, with a description and with options', async () => {
    const MisusedParam = Param as unknown as (words: string | ParamOptions) => ParameterParamDecorator;
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('One.') one(@MisusedParam('City') city: string) {}
      @Tool('Two.') two(@MisusedParam({ description: 'City' }) city: string) {}
    }
    const { findings } = await refusalOf(WeatherSection);
    expect(findings).toMatchObject([
      { code: 'E207', place: 'WeatherSection.one', member: 'one', sectionPath: 'weather' },
      { code: 'E207', place: 'WeatherSection.two', member: 'two', sectionPath: 'weather' },
    ]);
    for (const { problem } of findings) expect(problem).toContain('parameter 0');
  });

  test('an empty description is a description: the name still comes first', () => {
    class WeatherSection {
      weather(@Param('city', '') city: string) {}
    }
    expect(findArgs(WeatherSection)?.parameters).toEqual([
      { member: 'weather', index: 0, name: 'city', options: { description: '' }, misused: false },
    ]);
  });

  test('options are written down as they are, by reference', () => {
    const options: ParamOptions = Object.freeze({ description: 'Order id', pattern: /^#W\d+$/ });
    class GetOrderParams {
      @Param(options) orderId!: string;
    }
    expect(findArgs(GetOrderParams)?.properties[0]?.options).toBe(options);
  });
});
