import { mapEntries } from '../../common/objects.js';
import type { RuleRow } from './Rule.js';

type Condition = (...constraints: readonly unknown[]) => boolean;

/** Checks for a decorator without arguments, or with empty options. */
const isBare: Condition = (...constraints) =>
  constraints.every((given) => given === undefined || JSON.stringify(given) === '{}');

const isEnglish: Condition = (locale) => locale === undefined || locale === 'en-US';

const always: Condition = () => true;

/**
 * The form of a text: its description, the regular expression, the part of the rule that the expression does not cover, and whether
 * the expression applies with the arguments of the decorator.
 */
type Form = readonly [expected: string, pattern: string, unsaid?: string | undefined, when?: Condition];

const CHECK_DIGIT = 'its check digit';
const CODES = 'which codes exist';
const HALF_WIDTH = '\\u0020-\\u007E\\uFF61-\\uFF9F\\uFFA0-\\uFFDC\\uFFE8-\\uFFEE0-9a-zA-Z';
const COUNTRIES = 'the forms of the countries';

/** All dialects of regular expressions read these patterns alike. */
const forms: Readonly<Record<string, Form>> = {
  isAlpha: ['letters', '^[A-Za-z]+$', undefined, isEnglish],
  isAlphanumeric: ['letters and digits', '^[0-9A-Za-z]+$', undefined, isEnglish],
  isAscii: ['ASCII characters', '^[\\x00-\\x7F]+$'],
  isLowercase: ['lower-case text', '^[^A-Z]*$', 'letters beyond a to z'],
  isUppercase: ['upper-case text', '^[^a-z]*$', 'letters beyond a to z'],
  isMultibyte: ['text with a character that is not ASCII', '[^\\x00-\\x7F]'],
  isSurrogatePair: ['text with a character beyond U+FFFF', '[^\\x00-\\x7F]', 'which characters these are'],
  isFullWidth: ['text with a full-width character', `[^${HALF_WIDTH}]`],
  isHalfWidth: ['text with a half-width character', `[${HALF_WIDTH}]`],
  isDecimal: ['a decimal number as text', '^[-+]?[0-9]*(?:\\.[0-9]+)?$', undefined, isBare],
  isHexadecimal: ['a hexadecimal number', '^(?:0[xXhH])?[0-9a-fA-F]+$'],
  isOctal: ['an octal number', '^(?:0[oO])?[0-7]+$'],
  isPort: ['a port number as text', '^[-+]?(?:0|[1-9][0-9]{0,4})$', 'the bound 65535'],
  isLatLong: [
    'latitude and longitude as "47.3,8.5"',
    '^\\(?[+-]?[0-9]{1,2}(?:\\.[0-9]+)?,\\s?[+-]?[0-9]{1,3}(?:\\.[0-9]+)?\\)?(?:,|$)',
    'their bounds',
  ],
  isIso8601: ['an ISO 8601 date', '^[+-]?[0-9]{4}', 'the part after the year: ISO 8601 has many forms'],
  isDateString: ['an ISO 8601 date', '^[+-]?[0-9]{4}', 'the part after the year: ISO 8601 has many forms'],
  isMilitaryTime: ['a time as HH:MM', '^(?:[01][0-9]|2[0-3]):?[0-5][0-9]$'],
  isMacAddress: [
    'a MAC address',
    '^(?:(?:[0-9a-fA-F]{2}[-:\\s]?){5,7}[0-9a-fA-F]{2}|(?:[0-9a-fA-F]{4}\\.){2,3}[0-9a-fA-F]{4})$',
    'which separators go together',
  ],
  isMagnetURI: ['a magnet URI', '^magnet:\\?', 'the rest'],
  isDataURI: ['a data URI', '^\\s*data:', 'the rest'],
  isMimeType: ['a media type such as text/plain', '^[A-Za-z]+/', 'which types exist, and their parameters'],
  isMongoId: ['24 hexadecimal digits', '^(?:[0-9a-fA-F]{2}|0[xXhH])[0-9a-fA-F]{22}$'],
  IsFirebasePushId: ['a Firebase push id', '^[a-zA-Z0-9_-]{20}$'],
  isBase32: ['text in base32', '^[A-Z2-7]+=*$', 'that its length is a multiple of 8'],
  isBase58: ['text in base58', '^[A-HJ-NP-Za-km-z1-9]*$'],
  isJwt: ['a JSON Web Token', '^[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*$'],
  isSemVer: [
    'a semantic version such as 1.2.3',
    '^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)(?:[-+]|$)',
    'the part after the third number',
  ],
  isLocale: ['a language tag such as de-CH', '^[A-Za-z0-9_-]+$', 'which tags exist'],
  isISO6391: ['a language code of two letters', '^[a-z]{2}$', CODES],
  isISO31661Alpha2: ['a country code of two letters', '^[A-Za-z]{2}$', CODES],
  isISO31661Alpha3: ['a country code of three letters', '^[A-Za-z]{3}$', CODES],
  isISO31661Numeric: ['a country code of three digits', '^[0-9]{3}$', CODES],
  isISO4217CurrencyCode: ['a currency code such as EUR', '^[A-Za-z]{3}$', CODES],
  isHexColor: ['a hexadecimal colour', '^#?(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$'],
  isHSL: ['an HSL colour', '^\\s*[hH][sS][lL][aA]?\\(', 'the values in parentheses'],
  isRgbColor: ['an RGB colour', '^rgba?\\(', 'the values in parentheses'],
  isBIC: ['a BIC', '^[A-Za-z]{6}[A-Za-z0-9]{2}(?:[A-Za-z0-9]{3})?$', CODES],
  isBtcAddress: [
    'a Bitcoin address',
    '^(?:(?:bc1|tb1)[a-z0-9]{39,59}|[123m][A-HJ-NP-Za-km-z1-9]{25,39})$',
    'some letters that do not occur',
  ],
  isEthereumAddress: ['an Ethereum address', '^0[xX][0-9a-fA-F]{40}$'],
  isCreditCard: ['a credit card number', '^[0-9 -]+$', CHECK_DIGIT],
  isEAN: ['an EAN', '^(?:[0-9]{8}|[0-9]{13,14})$', CHECK_DIGIT],
  isIBAN: ['an IBAN', '^[A-Za-z0-9\\s-]+$', 'its check digits, and the forms of the countries'],
  isIsbn: ['an ISBN', '^[0-9X\\s-]+$', CHECK_DIGIT],
  isIsin: ['an ISIN', '^[A-Z]{2}[0-9A-Z]{9}[0-9]$', CHECK_DIGIT],
  isISRC: ['an ISRC', '^[A-Z]{2}[0-9A-Z]{3}[0-9]{7}$'],
  isISSN: ['an ISSN', '^[0-9]{4}-?[0-9]{3}[0-9Xx]$', CHECK_DIGIT],
};

/** Texts that only code can check, each with its description and the rule that the schema leaves out. */
const opaqueForms: Readonly<Record<string, readonly [expected: string, unsaid: string]>> = {
  isCurrency: ['an amount of money', 'its form, which depends on many options'],
  isMobilePhone: ['a mobile phone number', COUNTRIES],
  isPhoneNumber: ['a phone number', COUNTRIES],
  isIdentityCard: ['the number of an identity card', COUNTRIES],
  isPassportNumber: ['a passport number', COUNTRIES],
  isPostalCode: ['a postal code', COUNTRIES],
  isTaxId: ['a tax number', COUNTRIES],
  isTimeZone: ['a time zone such as Europe/Zurich', 'the names of time zones, which the platform knows'],
};

export const textForms: Readonly<Record<string, RuleRow>> = {
  ...mapEntries(forms, (_name, [expected, pattern, unsaid, when = always]): RuleRow => (constraints) => {
    const said = when(...constraints);
    return { expected, schema: said ? { pattern } : undefined, unsaid: said ? unsaid : 'its options' };
  }),
  ...mapEntries(opaqueForms, (_name, [expected, unsaid]): RuleRow => () => ({ expected, unsaid })),
};
