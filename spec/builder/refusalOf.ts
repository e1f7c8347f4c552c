import { createApplication, definePrompt, PromptValidationError } from 'toolwright';
import type { ClassOrThunk } from 'toolwright/types';

/**
 * The error in which an application with these sections ends. Checks what every such error must have: the first finding
 * mirrored, and each finding with place, remedy and a link in the message.
 */
export async function refusalOf(...sections: readonly ClassOrThunk[]): Promise<PromptValidationError> {
  const desk = definePrompt({ ns: 'support', key: 'desk', sections });
  const refusal: unknown = await createApplication({ prompts: [desk] }).then(
    () => new Error('the declarations were accepted'),
    (error: unknown) => error,
  );
  if (!(refusal instanceof PromptValidationError)) throw refusal;
  const [first] = refusal.findings;
  const { code, place, remedy, sectionPath, toolName, paramsType, placeholder } = refusal;
  expect(first).toBeDefined();
  expect({ code, place, remedy }).toEqual({ code: first?.code, place: first?.place, remedy: first?.remedy });
  expect([sectionPath, toolName, paramsType, placeholder]).toEqual([
    first?.sectionPath,
    first?.toolName,
    first?.paramsType,
    first?.placeholder,
  ]);
  for (const found of refusal.findings) {
    expect(found.remedy).toMatch(/\S\.$/);
    expect(refusal.message).toContain(`${found.code} ${found.place}: ${found.problem}\n  fix: ${found.remedy}`);
    expect(refusal.message).toContain(`(docs/errors.md#${found.code.toLowerCase()})`);
  }
  return refusal;
}
