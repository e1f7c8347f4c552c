export { jsonSchema, type TypedJsonSchema } from './jsonSchema.js';
