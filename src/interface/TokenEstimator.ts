/**
 * Port to an estimate of the tokens in a text: returns a whole number from 0 up, the same for the same text. Called with whole
 * sections and with the schemas of tools.
 */
export type TokenEstimator = (text: string) => number;
