import assert from 'node:assert/strict';
import type { RunEvent } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { PrefixMeasured } from 'toolwright/events';
import {
  defineCase,
  type ContractCase,
  answerWithCalls,
  makeNoteCall,
  makeOpenCall,
  answerWithText,
} from './ContractCase.js';
import type { ContractApplication } from './ContractApplication.js';

class MeasuredConversation {
  readonly #contractApp: ContractApplication;
  readonly #measured: PrefixMeasured[] = [];
  conversation: Conversation;

  constructor(contractApp: ContractApplication) {
    this.#contractApp = contractApp;
    this.conversation = new Conversation({ id: contractApp.kit.adapter.name, session: 'apart' });
  }

  async say(content: string): Promise<string | null> {
    const onEvent = (event: RunEvent): void => {
      if (event instanceof PrefixMeasured) this.#measured.push(event);
    };
    const { conversation } = this;
    const { text } = await this.#contractApp.run({ messages: [{ role: 'user', content }], conversation, onEvent });
    return text;
  }

  /** Continues from the record, as another process does. */
  reopen(): void {
    this.conversation = Conversation.fromJSON(JSON.parse(JSON.stringify(this.conversation)), { session: 'apart' });
  }

  /** Asserts the number of requests, and that each one began with the one before. */
  assertAppended(count: number): void {
    this.#contractApp.assertReceived(count);
    assert.equal(this.#measured.length, count, 'the adapter reports each request that it sends to onSent');
    const broken = this.#measured.flatMap(({ brokenAt }, at) =>
      brokenAt === undefined ? [] : [`request ${String(at + 1)}: ${brokenAt}`],
    );
    assert.deepEqual(broken, [], 'each request begins with the one before it');
  }
}

/** Checks of conversations: sent messages stay, and closed tools are reached once they are open. */
export const conversationChecks: readonly ContractCase[] = [
  defineCase(
    'each request of a conversation begins with the one before, after its record was read as well',
    [
      answerWithCalls(makeNoteCall('a', 'one')),
      answerWithText('Done.'),
      answerWithCalls(makeNoteCall('b', 'two')),
      answerWithText('Done.'),
      answerWithText('Still done.'),
    ],
    async (contractApp) => {
      const talk = new MeasuredConversation(contractApp);
      await talk.say('Note a.');
      await talk.say('Note b.');
      talk.reopen();
      assert.equal(await talk.say('And now?'), 'Still done.');
      assert.deepEqual(contractApp.notes, ['a', 'b']);
      talk.assertAppended(5);
    },
  ),
  defineCase(
    'a tool of a closed section is refused, and the model learns what to open',
    [answerWithCalls({ id: 'one', name: 'look_up', arguments: '{"text":"tea"}' }), answerWithText('Done.')],
    async (contractApp) => {
      const talk = new MeasuredConversation(contractApp);
      await talk.say('Look tea up.');
      assert.match(contractApp.answers[0] ?? '', /"manual"/);
      assert.deepEqual(contractApp.lookedUp, []);
      talk.assertAppended(2);
    },
  ),
  ...(['manual', 'archive'] as const).map((section) =>
    defineCase(
      section === 'manual'
        ? 'an opened section is read, and its tool is called; nothing that was sent changes'
        : 'the same for a section with more tools than a provider would be sent at once',
      [
        answerWithCalls(makeOpenCall(section, 'one')),
        answerWithCalls({
          id: 'two',
          name: section === 'manual' ? 'look_up' : 'look_up_17',
          arguments: '{"text":"tea"}',
        }),
        answerWithText('Done.'),
        answerWithCalls({
          id: 'three',
          name: section === 'manual' ? 'look_up' : 'look_up_18',
          arguments: '{"text":"milk"}',
        }),
        answerWithText('Done.'),
      ],
      async (contractApp) => {
        const talk = new MeasuredConversation(contractApp);
        await talk.say('Look tea up.');
        talk.reopen();
        await talk.say('Look milk up.');
        assert.deepEqual(contractApp.lookedUp, ['tea', 'milk']);
        assert.match(
          contractApp.kit.received[1]?.answers[0] ?? '',
          section === 'manual' ? /The manual\./ : /The archive\./,
        );
        talk.assertAppended(5);
      },
    ),
  ),
];
