// Scripts play the model and choose by the user's text, so that the sample runs the same each time, without network or key.
import type { ModelAdapter, ModelRequest } from 'toolwright';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';

const call = (name: string, args: object = {}): ScriptStep => ({
  toolCalls: [{ name, arguments: JSON.stringify(args) }],
});
const repeat: ScriptStep = ({ messages }: ModelRequest) => ({
  text: `The tool says: ${messages.at(-1)?.content?.split('\n')[0] ?? ''}`,
});
const slug = 'nest-and-tools';

const scripts: Readonly<Record<string, readonly ScriptStep[]>> = {
  'Who am I?': [call('who_am_i'), repeat],
  'Write about Nest.': [
    call('create_article', { title: 'Nest and tools', description: 'How', body: 'So.', tagList: ['nest'] }),
    repeat,
  ],
  'Write without a title.': [call('create_article', { description: 'How', body: 'So.' }), repeat],
  'What is there about Nest?': [call('list_articles', { tag: 'nest' }), repeat],
  'Improve the text.': [call('update_article', { slug, body: 'Thus.' }), repeat],
  'Comment and like it.': [call('add_comment', { slug, body: 'Good.' }), call('favor_article', { slug }), repeat],
  'Follow ann.': [call('follow_user', { username: 'ann' }), repeat],
  'Follow me.': [call('follow_user', { username: 'bob' }), repeat],
  'Say who I am.': [call('update_user', { bio: 'I write.' }), repeat],
  'Delete it.': [call('delete_article', { slug }), repeat],
};

export function modelFor(message: string): ModelAdapter {
  return new ScriptedModel(scripts[message] ?? [{ text: 'The script has no line for that.' }]);
}
