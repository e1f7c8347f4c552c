import { text, type RuleRow } from './Rule.js';

type Condition = (...constraints: readonly unknown[]) => boolean;

/** Checks for a decorator without arguments, or with empty options. */
const isBare: Condition = (...constraints) =>
  constraints.every((given) => given === undefined || JSON.stringify(given) === '{}');

const isEnglish: Condition = (locale) => locale === undefined || locale === 'en-US';

const always: Condition = () => true;

/**
 * Creates a rule for a text that a regular expression describes, fully or except for `unsaid`; `when` decides by the constraints
 * whether it does.
 */
function createFormRule(expected: string, pattern: string, unsaid?: string, when: Condition = always): RuleRow {
  return (constraints) => {
    const said = when(...constraints);
    return {
      type: text,
      expected,
      schema: said ? { pattern } : undefined,
      unsaid: said ? unsaid : 'its options',
    };
  };
}

/** Creates a rule for a text that only code can check. */
function createOpaqueRule(expected: string, unsaid: string): RuleRow {
  return () => ({ type: text, expected, unsaid });
}

const CHECK_DIGIT = 'its check digit';
const CODES = 'which codes exist';
const HALF_WIDTH = '\\u0020-\\u007E\\uFF61-\\uFF9F\\uFFA0-\\uFFDC\\uFFE8-\\uFFEE0-9a-zA-Z';
const COUNTRIES = 'the forms of the countries';

/** Rules for the form of texts. All dialects of regular expressions read these patterns alike. */
export const textForms: Readonly<Record<string, RuleRow>> = {
  isAlpha: createFormRule('letters', '^[A-Za-z]+$', undefined, isEnglish),
  isAlphanumeric: createFormRule('letters and digits', '^[0-9A-Za-z]+$', undefined, isEnglish),
  isAscii: createFormRule('ASCII characters', '^[\\x00-\\x7F]+$'),
  isLowercase: createFormRule('lower-case text', '^[^A-Z]*$', 'letters beyond a to z'),
  isUppercase: createFormRule('upper-case text', '^[^a-z]*$', 'letters beyond a to z'),
  isMultibyte: createFormRule('text with a character that is not ASCII', '[^\\x00-\\x7F]'),
  isSurrogatePair: createFormRule(
    'text with a character beyond U+FFFF',
    '[^\\x00-\\x7F]',
    'which characters these are',
  ),
  isFullWidth: createFormRule('text with a full-width character', `[^${HALF_WIDTH}]`),
  isHalfWidth: createFormRule('text with a half-width character', `[${HALF_WIDTH}]`),
  isDecimal: createFormRule('a decimal number as text', '^[-+]?[0-9]*(?:\\.[0-9]+)?$', undefined, isBare),
  isHexadecimal: createFormRule('a hexadecimal number', '^(?:0[xXhH])?[0-9a-fA-F]+$'),
  isOctal: createFormRule('an octal number', '^(?:0[oO])?[0-7]+$'),
  isPort: createFormRule('a port number as text', '^[-+]?(?:0|[1-9][0-9]{0,4})$', 'the bound 65535'),
  isLatLong: createFormRule(
    'latitude and longitude as "47.3,8.5"',
    '^\\(?[+-]?[0-9]{1,2}(?:\\.[0-9]+)?,\\s?[+-]?[0-9]{1,3}(?:\\.[0-9]+)?\\)?(?:,|$)',
    'their bounds',
  ),
  isIso8601: createFormRule('an ISO 8601 date', '^[+-]?[0-9]{4}', 'the part after the year: ISO 8601 has many forms'),
  isDateString: createFormRule(
    'an ISO 8601 date',
    '^[+-]?[0-9]{4}',
    'the part after the year: ISO 8601 has many forms',
  ),
  isMilitaryTime: createFormRule('a time as HH:MM', '^(?:[01][0-9]|2[0-3]):?[0-5][0-9]$'),
  isMacAddress: createFormRule(
    'a MAC address',
    '^(?:(?:[0-9a-fA-F]{2}[-:\\s]?){5,7}[0-9a-fA-F]{2}|(?:[0-9a-fA-F]{4}\\.){2,3}[0-9a-fA-F]{4})$',
    'which separators go together',
  ),
  isMagnetURI: createFormRule('a magnet URI', '^magnet:\\?', 'the rest'),
  isDataURI: createFormRule('a data URI', '^\\s*data:', 'the rest'),
  isMimeType: createFormRule(
    'a media type such as text/plain',
    '^[A-Za-z]+/',
    'which types exist, and their parameters',
  ),
  isMongoId: createFormRule('24 hexadecimal digits', '^(?:[0-9a-fA-F]{2}|0[xXhH])[0-9a-fA-F]{22}$'),
  IsFirebasePushId: createFormRule('a Firebase push id', '^[a-zA-Z0-9_-]{20}$'),
  isBase32: createFormRule('text in base32', '^[A-Z2-7]+=*$', 'that its length is a multiple of 8'),
  isBase58: createFormRule('text in base58', '^[A-HJ-NP-Za-km-z1-9]*$'),
  isJwt: createFormRule('a JSON Web Token', '^[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*$'),
  isSemVer: createFormRule(
    'a semantic version such as 1.2.3',
    '^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)(?:[-+]|$)',
    'the part after the third number',
  ),
  isLocale: createFormRule('a language tag such as de-CH', '^[A-Za-z0-9_-]+$', 'which tags exist'),
  isISO6391: createFormRule('a language code of two letters', '^[a-z]{2}$', CODES),
  isISO31661Alpha2: createFormRule('a country code of two letters', '^[A-Za-z]{2}$', CODES),
  isISO31661Alpha3: createFormRule('a country code of three letters', '^[A-Za-z]{3}$', CODES),
  isISO31661Numeric: createFormRule('a country code of three digits', '^[0-9]{3}$', CODES),
  isISO4217CurrencyCode: createFormRule('a currency code such as EUR', '^[A-Za-z]{3}$', CODES),
  isHexColor: createFormRule('a hexadecimal colour', '^#?(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$'),
  isHSL: createFormRule('an HSL colour', '^\\s*[hH][sS][lL][aA]?\\(', 'the values in parentheses'),
  isRgbColor: createFormRule('an RGB colour', '^rgba?\\(', 'the values in parentheses'),
  isBIC: createFormRule('a BIC', '^[A-Za-z]{6}[A-Za-z0-9]{2}(?:[A-Za-z0-9]{3})?$', CODES),
  isBtcAddress: createFormRule(
    'a Bitcoin address',
    '^(?:(?:bc1|tb1)[a-z0-9]{39,59}|[123m][A-HJ-NP-Za-km-z1-9]{25,39})$',
    'some letters that do not occur',
  ),
  isEthereumAddress: createFormRule('an Ethereum address', '^0[xX][0-9a-fA-F]{40}$'),
  isCreditCard: createFormRule('a credit card number', '^[0-9 -]+$', CHECK_DIGIT),
  isEAN: createFormRule('an EAN', '^(?:[0-9]{8}|[0-9]{13,14})$', CHECK_DIGIT),
  isIBAN: createFormRule('an IBAN', '^[A-Za-z0-9\\s-]+$', 'its check digits, and the forms of the countries'),
  isIsbn: createFormRule('an ISBN', '^[0-9X\\s-]+$', CHECK_DIGIT),
  isIsin: createFormRule('an ISIN', '^[A-Z]{2}[0-9A-Z]{9}[0-9]$', CHECK_DIGIT),
  isISRC: createFormRule('an ISRC', '^[A-Z]{2}[0-9A-Z]{3}[0-9]{7}$'),
  isISSN: createFormRule('an ISSN', '^[0-9]{4}-?[0-9]{3}[0-9Xx]$', CHECK_DIGIT),
  isCurrency: createOpaqueRule('an amount of money', 'its form, which depends on many options'),
  isMobilePhone: createOpaqueRule('a mobile phone number', COUNTRIES),
  isPhoneNumber: createOpaqueRule('a phone number', COUNTRIES),
  isIdentityCard: createOpaqueRule('the number of an identity card', COUNTRIES),
  isPassportNumber: createOpaqueRule('a passport number', COUNTRIES),
  isPostalCode: createOpaqueRule('a postal code', COUNTRIES),
  isTaxId: createOpaqueRule('a tax number', COUNTRIES),
  isTimeZone: createOpaqueRule(
    'a time zone such as Europe/Zurich',
    'the names of time zones, which the platform knows',
  ),
};
