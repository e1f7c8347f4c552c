import { Type } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsISO8601,
  IsNegative,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';
import type { Constructor, JsonSchema } from 'toolwright';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { instanceOf, shapeOf } from '../reading';
import { compiled } from './compiled';

// class-validator-jsonschema reads the same decorators independently. It writes draft 7 with `definitions`, leaves objects open,
// and returns all classes of the process at once; its schemas of properties are comparable.

interface Written extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

const theirs = (type: Constructor): Written =>
  validationMetadatasToSchemas({
    classTransformerMetadataStorage: defaultMetadataStorage as never,
    refPointerPrefix: '#/$defs/',
  })[type.name] as never;
const ours = (type: Constructor): Written => writeClassSchema(shapeOf(type)) as Written;

enum Colour {
  Red = 'red',
  Green = 'green',
}
enum Level {
  Low,
  High,
}

describe('class-validator-jsonschema', () => {
  test('class-validator-jsonschema says the same of every rule that both know', () => {
    class JudgedPart {
      @IsString() name!: string;
    }
    class Judged {
      @IsString() text!: string;
      @IsInt() whole!: number;
      @IsNumber() number!: number;
      @IsBoolean() flag!: boolean;
      @IsEmail() mail!: string;
      @IsUUID() id!: string;
      @IsEnum(Colour) colour!: Colour;
      @IsIn(['a', 'b']) letter!: string;
      @Min(1) @Max(5) bounded!: number;
      @IsPositive() positive!: number;
      @IsNegative() negative!: number;
      @MinLength(2) @MaxLength(4) sized!: string;
      @Length(2, 4) length!: string;
      @Matches(/^a/) pattern!: string;
      @IsNotEmpty() filled!: string;
      @IsArray() @ArrayMinSize(1) @ArrayMaxSize(3) @IsString({ each: true }) texts!: string[];
      @ArrayNotEmpty() @IsInt({ each: true }) numbers!: number[];
      @MinLength(2, { each: true }) each!: string[];
      @IsOptional() @IsString() left?: string;
      @ValidateNested() @Type(() => JudgedPart) part!: JudgedPart;
      @ValidateNested({ each: true }) @Type(() => JudgedPart) parts!: JudgedPart[];
    }
    const [we, they] = [ours(Judged), theirs(Judged)];
    expect(we.properties).toEqual(they.properties);
    expect(we['required']).toEqual(they['required']);
    expect((we['$defs'] as Record<string, Written>)['JudgedPart']?.properties).toEqual(theirs(JudgedPart).properties);
  });

  test('class-validator-jsonschema leaves objects open, and ours are closed', () => {
    class Open {
      @IsString() text!: string;
    }
    expect(theirs(Open)['additionalProperties']).toBeUndefined();
    expect(ours(Open)['additionalProperties']).toBe(false);
  });

  test('class-validator-jsonschema is wrong about numeric enums: it lists the names, as texts, beside the values', () => {
    class Levelled {
      @IsEnum(Level) level!: Level;
    }
    expect(theirs(Levelled).properties['level']).toEqual({ type: 'string', enum: ['Low', 'High', 0, 1] });
    expect(ours(Levelled).properties['level']).toEqual({ type: 'number', enum: [0, 1] });
    expect(compiled(theirs(Levelled))({ level: 1 })).toBe(false);
    expect(instanceOf(Levelled, { level: 1 })).toEqual({ level: 1 });
  });

  test('class-validator-jsonschema is wrong about URLs: JSON Schema knows no format url', () => {
    class Linked {
      @IsUrl() link!: string;
    }
    expect(theirs(Linked).properties['link']).toEqual({ type: 'string', format: 'url' });
    expect(ours(Linked).properties['link']).toEqual({ type: 'string', format: 'uri' });
  });

  test('class-validator-jsonschema is wrong about date strings: its pattern wants fractions of seconds, which the rule does not', () => {
    class Dated {
      @IsDateString() at!: string;
    }
    const value = { at: '2030-01-01T12:00:00Z' };
    expect(compiled(theirs(Dated))(value)).toBe(false);
    expect(compiled(ours(Dated))(value)).toBe(true);
    expect(instanceOf(Dated, value)).toEqual(value);
  });

  test('class-validator-jsonschema describes dates by the rule alone; a Date is made of date and time', () => {
    class Timed {
      @IsDate() date!: Date;
      @IsISO8601() text!: string;
    }
    const either = [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ];
    expect(theirs(Timed).properties).toEqual({ date: { oneOf: either }, text: { oneOf: either } });
    // ISO 8601 also has weeks and ordinal days, which neither format has.
    expect(ours(Timed).properties).toEqual({
      date: { type: 'string', format: 'date-time', description: 'ISO 8601; UTC without a zone.' },
      text: { type: 'string', pattern: '^[+-]?[0-9]{4}' },
    });
  });
});
