import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { Constructor } from 'toolwright';
import { Composites, FAILED } from './composites';
import { declareOurs } from './declareOurs';
import { declareReference } from './declareReference';
import { normalised, REFUSED } from './normalised';
import type { ClassRecipe } from './Recipe';

/** Makes the two classes of each recipe, and judges values by class-transformer and class-validator. */
export class Twins {
  readonly #ours = new Map<ClassRecipe, Constructor>();
  readonly #theirs = new Map<ClassRecipe, Constructor>();
  readonly #composites = new Composites((recipe, value) => this.judge(recipe, value));

  ours(recipe: ClassRecipe): Constructor {
    return made(this.#ours, recipe, () => declareOurs(recipe, (nested) => this.ours(nested)));
  }

  #reference(recipe: ClassRecipe): Constructor {
    const declare = () => declareReference(recipe, (nested) => this.#reference(nested), this.#composites);
    return made(this.#theirs, recipe, declare);
  }

  /** The instance that the two libraries make of the value, or `FAILED`. */
  judge(recipe: ClassRecipe, value: unknown): unknown {
    const sent = normalised(recipe, value);
    if (sent === REFUSED) return FAILED;
    // `exposeUnsetFields`: what is exposed and absent would be set to undefined, over its default.
    const options = { exposeDefaultValues: true, exposeUnsetFields: false };
    const instance: object = plainToInstance(this.#reference(recipe) as ClassConstructor<object>, sent, options);
    return isValid(instance) ? instance : FAILED;
  }

  /** The value with each instance replaced by its properties and the number of its recipe: comparable between the two. */
  comparable(value: unknown): unknown {
    if (Array.isArray(value)) return Array.from(value, (item) => this.comparable(item));
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    const entries = Object.keys(value).map((key): [string, unknown] => [
      key,
      this.comparable((value as Readonly<Record<string, unknown>>)[key]),
    ]);
    return { made: this.#recipeOf(Object.getPrototypeOf(value)), of: new Map(entries) };
  }

  #recipeOf(prototype: unknown): number | string {
    // structuredClone returns objects of another realm under jest.
    if (Object.getPrototypeOf(prototype) === null) return 'a plain object';
    for (const classes of [this.#ours, this.#theirs]) {
      const recipes = [...classes].filter(([, type]) => type.prototype === prototype).map(([recipe]) => recipe);
      if (recipes.length > 0) return [...this.#ours.keys()].indexOf(recipes[0]!);
    }
    return 'something else';
  }
}

function isValid(instance: object): boolean {
  try {
    const options = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };
    return validateSync(instance, options).length === 0;
  } catch {
    // Some of class-validator's own checks throw: @IsByteLength for half an emoji. What throws has not accepted.
    return false;
  }
}

function made(classes: Map<ClassRecipe, Constructor>, recipe: ClassRecipe, declare: () => Constructor): Constructor {
  const known = classes.get(recipe) ?? declare();
  classes.set(recipe, known);
  return known;
}
