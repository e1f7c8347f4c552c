/** The remedy of every error code of `@toolwright/evals`, apart from the others because the root entry does not need them. */
export const evalRemedies = {
  E990: 'Correct the line or the item: one JSON object with id, input, and where needed group, expected and metadata.',
  E991: 'Give each task its own id.',
  E992: 'Give a readable file with one JSON object in each line, a list of tasks, or a function that returns an iterable of them.',
  E993: 'Name another file for the results, or run the eval that began this file.',
  E994: 'Delete the lines that the message names, or begin again with another file.',
  E995: 'Compare two complete results of one eval with the same tasks.',
  E996: 'Return true, false, a number from 0 to 1, { pass, value, reason }, or undefined where the scorer does not apply.',
  E997: 'Name a scorer or overall, and give { share }, { mean } or { lower } as a number from 0 to 1.',
  E998: 'Let the work observe context.signal, give it more time, or find out what it waits for.',
  E999: 'Correct the function run: the message says what it needs, and what it got.',
};
