import type { JSX } from 'preact';
import type { Schema } from '../types.js';

interface FormProps {
  readonly schema: Schema;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
  /** Makes the ids of its fields unique. */
  readonly id: string;
}

/** Shows a form for the properties of an object. A property that fields cannot express is edited as JSON. */
export function SchemaForm({ schema, value, onChange, id }: FormProps): JSX.Element {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return <p class="soft">There is nothing to fill in.</p>;
  const set = (name: string, entry: unknown): void => {
    const { [name]: _before, ...others } = value;
    onChange(entry === undefined ? others : { ...others, [name]: entry });
  };
  return (
    <div class="stack">
      {properties.map(([name, property]) => (
        <Field
          key={name}
          id={`${id}-${name}`}
          name={name}
          schema={property}
          required={schema.required?.includes(name) ?? false}
          value={value[name]}
          onChange={(entry) => set(name, entry)}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  readonly id: string;
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Field(props: FieldProps): JSX.Element {
  const { id, name, schema, required, value, onChange } = props;
  const type = typeOf(schema);
  if (type === 'object' && schema.properties !== undefined) {
    return (
      <fieldset>
        <legend>{name}</legend>
        {schema.description !== undefined && <p class="hint soft">{schema.description}</p>}
        <SchemaForm
          id={id}
          schema={schema}
          value={typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}}
          onChange={onChange}
        />
      </fieldset>
    );
  }
  const hint = [schema.description, formatLimits(schema)].filter(Boolean).join(' · ');
  return (
    <div class="field">
      <label for={id}>
        <span class="mono">{name}</span> <span class="badge">{type}</span>{' '}
        {required && <span class="badge warn">required</span>}
      </label>
      <Input id={id} type={type} schema={schema} value={value} onChange={onChange} hinted={hint !== ''} />
      {hint !== '' && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

interface InputProps extends Pick<FieldProps, 'id' | 'schema' | 'value' | 'onChange'> {
  readonly type: string;
  readonly hinted: boolean;
}

function Input({ id, type, schema, value, onChange, hinted }: InputProps): JSX.Element {
  const described = hinted ? { 'aria-describedby': `${id}-hint` } : {};
  if (schema.enum !== undefined || type === 'boolean') {
    const choices = schema.enum ?? [true, false];
    const at = choices.findIndex((choice) => choice === value);
    const choose = (index: number): void => onChange(index < 0 ? undefined : choices[index]);
    return (
      <select id={id} {...described} value={String(at)} onChange={(event) => choose(Number(event.currentTarget.value))}>
        <option value="-1">not given</option>
        {choices.map((choice, index) => (
          <option key={String(choice)} value={String(index)}>
            {String(choice)}
          </option>
        ))}
      </select>
    );
  }
  if (type === 'number' || type === 'integer') {
    const read = (text: string): void => onChange(text === '' ? undefined : Number(text));
    const shown = typeof value === 'number' ? String(value) : '';
    return (
      <input
        id={id}
        {...described}
        type="number"
        step="any"
        value={shown}
        onInput={(event) => read(event.currentTarget.value)}
      />
    );
  }
  if (type === 'string') {
    const read = (text: string): void => onChange(text === '' ? undefined : text);
    const shown = typeof value === 'string' ? value : '';
    return shown.length > 60 ? (
      <textarea id={id} {...described} rows={3} value={shown} onInput={(event) => read(event.currentTarget.value)} />
    ) : (
      <input id={id} {...described} type="text" value={shown} onInput={(event) => read(event.currentTarget.value)} />
    );
  }
  const shown = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 1);
  return (
    <textarea
      id={id}
      {...described}
      rows={2}
      placeholder={type === 'array' ? '["…"]' : '{ … }'}
      value={shown}
      onInput={(event) => onChange(toJson(event.currentTarget.value))}
    />
  );
}

/** Parses a text as JSON. Returns the text itself if it is not JSON; the rehearsal then reports the error. */
function toJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function typeOf({ type, enum: choices, properties, items }: Schema): string {
  const named: unknown = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
  if (typeof named === 'string') return named;
  if (choices !== undefined) return 'choice';
  return properties !== undefined ? 'object' : items !== undefined ? 'array' : 'JSON';
}

const LIMITS = ['format', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'default'];

function formatLimits(schema: Schema): string {
  return LIMITS.flatMap((keyword) =>
    schema[keyword] === undefined ? [] : [`${keyword} ${JSON.stringify(schema[keyword])}`],
  ).join(', ');
}
