// The sign-in of this demo: three people, and no passwords. A real application has its own.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { findLongRequest } from '../../20-retail-desk/demo/longRequest.js';
import { generateRetailData } from '../../20-retail-desk/generate.js';

/** A person who may sign in. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: 'customer' | 'supervisor';
  /** The id in the shop's data; only for customers. */
  readonly userId?: string;
  readonly email?: string;
  /** Messages that the page offers. */
  readonly suggestions?: readonly string[];
}

/** The generated shop, the same in every process. */
export const shopData = generateRetailData(20);

export const people: readonly Person[] = [...findCustomers(), { id: 'sam', name: 'Sam Okafor', role: 'supervisor' }];

export function findPerson(id: string | undefined): Person | undefined {
  return people.find((person) => person.id === id);
}

/** Makes the value of a person's cookie. */
export function signPerson({ id }: Person): string {
  return `${id}.${createHmac('sha256', 'the secret of this sample').update(id).digest('base64url')}`;
}

/**
 * Returns the person who sends a request. Each person has a cookie of their own and the page names one, so that one browser can show
 * all of them in tabs.
 */
export function readPerson(headers: Readonly<Record<string, string | string[] | undefined>>): Person | undefined {
  const person = findPerson(String(headers['x-desk-person']));
  if (person === undefined) return undefined;
  const cookies = String(headers['cookie']).split(/; */);
  const wanted = Buffer.from(`desk-${person.id}=${signPerson(person)}`);
  const isSigned = cookies.some((cookie) => {
    const given = Buffer.from(cookie);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  return isSigned ? person : undefined;
}

/** Chooses a customer with a large delivered order, and one with an order that can be cancelled. */
function findCustomers(): readonly Person[] {
  const first = findLongRequest(shopData, '');
  const pending = Object.values(shopData.orders).find(
    ({ status, items, user_id }) => status === 'pending' && totalOf(items) < 200 && user_id !== first?.userId,
  );
  if (first === undefined || pending === undefined) throw new Error('The generated shop has no such customers.');
  const { order_id } = first.order;
  return [
    describeCustomer(first.userId, [
      'What is the state of my orders?',
      `I want to return everything of order ${order_id}.`,
      `Please put the refund for order ${order_id} on my gift card.`,
    ]),
    describeCustomer(pending.user_id, [
      'What is the state of my orders?',
      `Please cancel order ${pending.order_id}.`,
      'What do you sell?',
    ]),
  ];
}

function totalOf(items: readonly { readonly price: number }[]): number {
  return items.reduce((sum, { price }) => sum + price, 0);
}

function describeCustomer(userId: string, suggestions: readonly string[]): Person {
  const { name, email } = shopData.users[userId]!;
  const id = name.first_name.toLowerCase();
  return { id, name: `${name.first_name} ${name.last_name}`, role: 'customer', userId, email, suggestions };
}
