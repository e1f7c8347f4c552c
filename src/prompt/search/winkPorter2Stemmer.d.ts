// wink-porter2-stemmer has no types: it exports one function, which is declared where it is loaded.
declare module 'wink-porter2-stemmer';
