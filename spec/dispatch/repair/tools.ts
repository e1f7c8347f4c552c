import { Type } from 'class-transformer';
import { Min } from 'class-validator';
import { type ApplicationOptions, defineTool, Param } from 'toolwright';
import { jsonSchema } from '@toolwright/json-schema';
import { dump } from 'toolwright/schema';
import { silentLogger } from '../../conformance/declare/silentLogger';
import { deskOf, type Desk } from '../desk';

class Order {
  @Param('Article') sku!: string;
  @Param({ description: 'How many', integer: true }) @Min(1) qty!: number;
  @Param({ description: 'Of one', optional: true }) price?: number;
  @Param({ description: 'Wrapped', optional: true }) gift?: boolean;
  @Param({ description: 'Labels', type: [String], optional: true }) tags?: string[];
  @Param({ description: 'Remark', optional: true }) note?: string;
}

class Line {
  @Param('Article') sku!: string;
  @Param({ description: 'How many', integer: true }) qty!: number;
}

class Address {
  @Param('City') city!: string;
  @Param('Postal code') zip!: string;
}

class Basket {
  @Param({ description: 'Lines', type: [Line] }) lines!: Line[];
  @Param({ description: 'Codes', type: [String], optional: true }) coupons?: string[];
  @Param({ description: 'Where to', type: Address, optional: true }) address?: Address;
}

abstract class Shape {}
class Circle extends Shape {
  @Param('Radius') radius!: number;
}
class Square extends Shape {
  @Param('Side') side!: number;
}
const shapes = {
  keepDiscriminatorProperty: true,
  discriminator: {
    property: 'kind',
    subTypes: [
      { name: 'circle', value: Circle },
      { name: 'square', value: Square },
    ],
  },
};

class Search {
  @Param({ description: 'Mode', enum: ['fast', 'slow'], optional: true }) mode?: string;
  @Param({ description: 'Modes', type: [{ enum: ['fast', 'slow', 'fast, then slow'] }], optional: true })
  modes?: string[];
  @Param({ description: 'Levels', type: [Number], optional: true }) levels?: number[];
  @Param({ description: 'Flags', type: [Boolean], optional: true }) flags?: boolean[];
  @Param({ description: 'Days', type: [Date], optional: true }) days?: Date[];
  @Param({ description: 'Rank', enum: [1, 2, 3], optional: true }) rank?: number;
  @Param({ description: 'Automatic', enum: [true, 'manual'], optional: true }) auto?: boolean | string;
  @Param({ description: 'Rows', type: [{ array: Number }], optional: true }) grid?: number[][];
  @Param({ description: 'A pair', type: { tuple: [Number, Number] }, optional: true }) pair?: [number, number];
  @Param({ description: 'Limits', type: { record: Number }, optional: true }) limits?: Record<string, number>;
  @Param({ description: 'Tables', type: [{ record: Number }], optional: true }) tables?: Record<string, number>[];
  @Param({ description: 'Anything', type: 'any', optional: true }) anything?: unknown;
  @Param({ description: 'Things', type: ['any'], optional: true }) things?: unknown[];
  @Param({ description: 'When', optional: true }) at?: Date;
  @Param({ description: 'Either', oneOf: [Number, Boolean], optional: true }) numberOrFlag?: number | boolean;
  @Param({ description: 'One or more', oneOf: [Number, [Number]], optional: true }) levelOrLevels?: number | number[];
  @Param({ description: 'A shape', optional: true }) @Type(() => Shape, shapes) shape?: Circle | Square;
  @Param({ description: 'Shapes', optional: true }) @Type(() => Shape, shapes) shapes?: (Circle | Square)[];
}

const Remote = jsonSchema<{ id: number; names?: string[]; active?: boolean; place?: { lat: number } }>({
  type: 'object',
  properties: {
    id: { type: 'integer' },
    names: { type: 'array', items: { type: 'string' } },
    active: { type: 'boolean' },
    place: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'], additionalProperties: false },
  },
  required: ['id'],
  additionalProperties: false,
});

/** A desk with the tools of the corpus; `given` collects what their handlers got, as plain data. */
export async function repairDesk(
  options: Pick<ApplicationOptions, 'repair' | 'coerce'>,
): Promise<Desk & { readonly given: unknown[] }> {
  const given: unknown[] = [];
  const handler = (params: unknown): string => {
    given.push(dump(params));
    return 'Done.';
  };
  const tool = { description: 'Does it.', handler };
  const desk = await deskOf(
    [
      defineTool({ ...tool, name: 'order', params: Order }),
      defineTool({ ...tool, name: 'basket', params: Basket }),
      defineTool({ ...tool, name: 'search', params: Search }),
      defineTool({ ...tool, name: 'remote', params: Remote }),
    ],
    { ...options, logger: silentLogger },
  );
  return Object.assign(desk, { given });
}
