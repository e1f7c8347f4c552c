/**
 * Port to how many tokens a text is for a model: a whole number from 0 up. Asked with whole sections and with the schemas of
 * tools; the same text gives the same number.
 */
export type TokenEstimator = (text: string) => number;
