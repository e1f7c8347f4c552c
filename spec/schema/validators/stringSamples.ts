import * as cv from 'class-validator';
import { sample, type ValidatorSample } from './ValidatorSample';

type Made = ValidatorSample['make'];
const text = (call: string, make: Made, good: readonly string[], bad: readonly string[]): ValidatorSample =>
  sample(call, 'string', make, good, bad);
const uuid4 = '9b2f1a52-6f0c-4d2c-9d4e-2f6d7f1f0001';
const uuid7 = '018f4e1a-7b6c-7d2c-9d4e-2f6d7f1f0001';

/** Decorators for texts of any kind. */
const plainTexts: readonly ValidatorSample[] = [
  text('IsString()', (o) => cv.IsString(o), ['', 'né', '😀'], []),
  text('IsNotEmpty()', (o) => cv.IsNotEmpty(o), ['a', ' ', '😀'], ['']),
  text('IsEmpty()', (o) => cv.IsEmpty(o), [''], ['a', ' ']),
  text("Equals('ab')", (o) => cv.Equals('ab', o), ['ab'], ['', 'abc']),
  text("NotEquals('ab')", (o) => cv.NotEquals('ab', o), ['', 'abc'], ['ab']),
  text("IsIn(['ab', 'red'])", (o) => cv.IsIn(['ab', 'red'], o), ['ab', 'red'], ['', 'blue']),
  text("IsIn(['ab', 1, true])", (o) => cv.IsIn(['ab', 1, true], o), ['ab'], ['', '1', 'true']),
  text("IsNotIn(['ab', 'red'])", (o) => cv.IsNotIn(['ab', 'red'], o), ['', 'blue'], ['ab', 'red']),
  text('Length(2, 4)', (o) => cv.Length(2, 4, o), ['ab', '😀😀', 'abcd', '👍🏽a'], ['', 'a', 'abcde', '😀']),
  text('Length(2)', (o) => cv.Length(2, undefined, o), ['ab', 'a long one'], ['', 'a']),
  text('MinLength(2)', (o) => cv.MinLength(2, o), ['ab', '😀😀'], ['', 'a', '😀']),
  text('MaxLength(2)', (o) => cv.MaxLength(2, o), ['', 'ab', '😀😀'], ['abc', '😀😀😀']),
  text('IsByteLength(2, 4)', (o) => cv.IsByteLength(2, 4, o), ['ab', 'éé', '😀'], ['', 'a', 'ééé', '😀a']),
  text('Matches(/^[a-c]+$/)', (o) => cv.Matches(/^[a-c]+$/, o), ['a', 'cab'], ['', 'd', 'A']),
  text('Matches(/^[a-c]+$/i)', (o) => cv.Matches(/^[a-c]+$/i, o), ['a', 'CAB'], ['', 'd']),
  text('Matches(/b/g)', (o) => cv.Matches(/b/g, o), ['b', 'abba'], ['', 'a']),
  text('Matches(/^.$/u)', (o) => cv.Matches(/^.$/u, o), ['a', '😀'], ['', 'aa']),
  text("Matches('^[a-c]+$', 'i')", (o) => cv.Matches('^[a-c]+$', 'i', o), ['a', 'CAB'], ['', 'd']),
  text("Contains('a.b')", (o) => cv.Contains('a.b', o), ['a.b', 'xa.by'], ['', 'axb', 'a']),
  text("NotContains('a.b')", (o) => cv.NotContains('a.b', o), ['', 'axb', 'a'], ['a.b', 'xa.by']),
  text('IsLowercase()', (o) => cv.IsLowercase(o), ['', 'ab 1é'], ['Ab', 'É']),
  text('IsUppercase()', (o) => cv.IsUppercase(o), ['', 'AB 1É'], ['Ab', 'é']),
  text('IsAlpha()', (o) => cv.IsAlpha(undefined, o), ['a', 'aBc'], ['', 'a1', 'é']),
  text("IsAlpha('de-DE')", (o) => cv.IsAlpha('de-DE', o), ['ärger'], ['', 'a1']),
  text('IsAlphanumeric()', (o) => cv.IsAlphanumeric(undefined, o), ['a1', 'B'], ['', 'a 1', 'é']),
  text('IsAscii()', (o) => cv.IsAscii(o), ['a', '~\t\n'], ['', 'é']),
  text('IsFullWidth()', (o) => cv.IsFullWidth(o), ['ｆ', 'aｆ', '😀'], ['', 'abc']),
  text('IsHalfWidth()', (o) => cv.IsHalfWidth(o), ['a', 'aｆ'], ['', 'ｆ']),
  text('IsVariableWidth()', (o) => cv.IsVariableWidth(o), ['aｆ'], ['', 'a', 'ｆ']),
  text('IsMultibyte()', (o) => cv.IsMultibyte(o), ['é', 'a😀'], ['', 'abc']),
  text('IsSurrogatePair()', (o) => cv.IsSurrogatePair(o), ['😀', 'a😀'], ['', 'é', '\ud83d']),
  text('IsJSON()', (o) => cv.IsJSON(o), ['{}', '[1]'], ['', '1', '{']),
];

/** Numbers, truths and times as texts. */
const writtenValues: readonly ValidatorSample[] = [
  text('IsBooleanString()', (o) => cv.IsBooleanString(o), ['true', 'false', '1', '0'], ['', 'yes', 'TRUE']),
  text('IsNumberString()', (o) => cv.IsNumberString({}, o), ['1', '-1.5', '+.5'], ['', '1e3', 'a', '1.']),
  text(
    'IsNumberString({ no_symbols: true })',
    (o) => cv.IsNumberString({ no_symbols: true }, o),
    ['1', '007'],
    ['', '-1', '1.5'],
  ),
  text('IsDecimal()', (o) => cv.IsDecimal({}, o), ['1', '-1.5', '.5'], ['', '1e3', 'a', '-']),
  text(
    "IsDecimal({ decimal_digits: '2', force_decimal: true })",
    (o) => cv.IsDecimal({ decimal_digits: '2', force_decimal: true }, o),
    ['1.50'],
    ['1', '1.5'],
  ),
  text('IsHexadecimal()', (o) => cv.IsHexadecimal(o), ['0xfF', '0hA', '9'], ['', 'g', '0x']),
  text('IsOctal()', (o) => cv.IsOctal(o), ['0o17', '17', '0O7'], ['', '8', '0o']),
  text('IsPort()', (o) => cv.IsPort(o), ['0', '80', '65535'], ['', '65536', '080', 'a']),
  text('IsLatLong()', (o) => cv.IsLatLong(o), ['47.3,8.5', '(-90, +180)', '0,0'], ['', '47', '91,0', '0,181', '(1,1']),
  text('IsLatitude()', (o) => cv.IsLatitude(o), ['47.3', '-90'], ['', '91', 'a']),
  text('IsLongitude()', (o) => cv.IsLongitude(o), ['8.5', '-180'], ['', '181', 'a']),
  text(
    'IsISO8601()',
    (o) => cv.IsISO8601({}, o),
    ['2030', '2030-01-31', '2030-01-01T00:00:00Z', '2030-W05-1', '+2030-01'],
    ['', 'soon', '30-01-01', '2030-13-01'],
  ),
  text('IsISO8601({ strict: true })', (o) => cv.IsISO8601({ strict: true }, o), ['2028-02-29'], ['2030-02-30']),
  text(
    'IsDateString()',
    (o) => cv.IsDateString({}, o),
    ['2030-01-31', '2030-01-01T00:00:00Z'],
    ['', 'soon', '2030-13-01'],
  ),
  text('IsDateString({ strict: true })', (o) => cv.IsDateString({ strict: true }, o), ['2028-02-29'], ['2030-02-30']),
  text(
    'IsRFC3339()',
    (o) => cv.IsRFC3339(o),
    ['2030-01-01T00:00:00Z', '2030-01-01 00:00:00.5+01:00'],
    ['', '2030-01-01'],
  ),
  text('IsMilitaryTime()', (o) => cv.IsMilitaryTime(o), ['13:05', '1305', '00:00'], ['', '24:00', '1:05']),
  text('IsTimeZone()', (o) => cv.IsTimeZone(o), ['Europe/Zurich', 'UTC'], ['', 'Mars/Olympus']),
];

/** Addresses and names in nets. */
const addresses: readonly ValidatorSample[] = [
  text(
    'IsEmail()',
    (o) => cv.IsEmail({}, o),
    ['ann@example.org', 'a.b+c@x.co.uk'],
    ['', 'ann', 'ann@', '@example.org'],
  ),
  text(
    'IsEmail({ allow_display_name: true })',
    (o) => cv.IsEmail({ allow_display_name: true }, o),
    ['Ann <ann@example.org>'],
    ['', 'Ann'],
  ),
  text('IsUrl()', (o) => cv.IsUrl({}, o), ['https://example.org/a?b#c', 'ftp://example.org'], ['', 'a b', 'http://']),
  text(
    'IsUrl({ require_protocol: true })',
    (o) => cv.IsUrl({ require_protocol: true }, o),
    ['https://example.org'],
    ['', 'example.org'],
  ),
  text('IsFQDN()', (o) => cv.IsFQDN({}, o), ['example.org', 'a-b.example.org'], ['', 'org', '-a.org', 'a_b.org']),
  text(
    'IsFQDN({ allow_underscores: true })',
    (o) => cv.IsFQDN({ allow_underscores: true }, o),
    ['a_b.example.org'],
    ['', 'org'],
  ),
  text('IsIP()', (o) => cv.IsIP(undefined, o), ['127.0.0.1', '::1', 'fe80::1'], ['', '256.0.0.1', ':::']),
  text('IsIP(4)', (o) => cv.IsIP(4, o), ['127.0.0.1'], ['', '::1']),
  text("IsIP('6')", (o) => cv.IsIP('6', o), ['::1'], ['', '127.0.0.1']),
  text(
    'IsMACAddress()',
    (o) => cv.IsMACAddress(o),
    ['00:1b:63:84:45:E6', '001b.6384.45e6'],
    ['', '00:1b', '001b638445e6'],
  ),
  text(
    'IsMACAddress({ no_separators: true })',
    (o) => cv.IsMACAddress({ no_separators: true }, o),
    ['001b638445e6'],
    ['', '00:1b:63:84:45:e6'],
  ),
  text('IsMagnetURI()', (o) => cv.IsMagnetURI(o), [`magnet:?xt=urn:btih:${'a1'.repeat(16)}`], ['', 'magnet:?', 'x']),
  text('IsDataURI()', (o) => cv.IsDataURI(o), ['data:,x', ' data:text/plain;base64,SGk='], ['', 'data:', 'x,y']),
  text(
    'IsMimeType()',
    (o) => cv.IsMimeType(o),
    ['text/plain', 'text/html; charset=utf-8', 'Image/png'],
    ['', 'text', 'x/y'],
  ),
  text("IsMobilePhone('de-CH')", (o) => cv.IsMobilePhone('de-CH', undefined, o), ['+41791234567'], ['', '1']),
  text("IsPhoneNumber('CH')", (o) => cv.IsPhoneNumber('CH', o), ['+41446681800'], ['', '1']),
];

/** Codes and identifiers. */
const codes: readonly ValidatorSample[] = [
  text('IsUUID()', (o) => cv.IsUUID(undefined, o), [uuid4, uuid4.toUpperCase(), uuid7], ['', '9b2f1a52', `${uuid4}0`]),
  text('IsUUID(4)', (o) => cv.IsUUID(4, o), [uuid4], ['', uuid7]),
  text("IsUUID('7')", (o) => cv.IsUUID('7', o), [uuid7], ['', uuid4]),
  text('IsMongoId()', (o) => cv.IsMongoId(o), ['507f1f77bcf86cd799439011', '507F1F77BCF86CD799439011'], ['', '507f']),
  text(
    'IsFirebasePushId()',
    (o) => cv.IsFirebasePushId(o),
    ['-M1234567890_abcdefg'],
    ['', 'a', '-M1234567890_abcdef!'],
  ),
  text("IsHash('md5')", (o) => cv.IsHash('md5', o), ['9e107d9d372bb6826bd81d3542a419d6'], ['', '9e10', 'g'.repeat(32)]),
  text('IsBase32()', (o) => cv.IsBase32(o), ['JBSWY3DP', 'JBSWY3A='], ['', 'JBSWY3D', 'jbswy3dp']),
  text('IsBase58()', (o) => cv.IsBase58(o), ['', '2NEpo7TZ'], ['0', 'a0', 'l']),
  text('IsBase64()', (o) => cv.IsBase64({}, o), ['', 'SGVsbG8=', 'SGk+'], ['a', 'SGVsbG8', 'S-_=']),
  text('IsBase64({ urlSafe: true })', (o) => cv.IsBase64({ urlSafe: true }, o), ['', 'SGVsbG8', 'a-_'], ['a+', 'a/']),
  text('IsJWT()', (o) => cv.IsJWT(o), ['eyJh.eyJz.abc-_', 'a.b.'], ['', 'a.b', 'a.b.c.d', 'a.b.c+']),
  text('IsSemVer()', (o) => cv.IsSemVer(o), ['1.0.0', '1.2.3-Beta.1+5'], ['', '1.0', '01.0.0']),
  text('IsLocale()', (o) => cv.IsLocale(o), ['de', 'de-CH', 'zh_Hant_TW'], ['', '1', 'd']),
  text('IsISO6391()', (o) => cv.IsISO6391(o), ['de', 'rm'], ['', 'DE', 'xx', 'deu']),
  text('IsISO31661Alpha2()', (o) => cv.IsISO31661Alpha2(o), ['CH', 'ch'], ['', 'XX', 'CHE']),
  text('IsISO31661Alpha3()', (o) => cv.IsISO31661Alpha3(o), ['CHE', 'che'], ['', 'XXX', 'CH']),
  text('IsISO31661Numeric()', (o) => cv.IsISO31661Numeric(o), ['756'], ['', '000', '75']),
  text('IsISO4217CurrencyCode()', (o) => cv.IsISO4217CurrencyCode(o), ['CHF', 'chf'], ['', 'XYZ', 'CH']),
  text('IsHexColor()', (o) => cv.IsHexColor(o), ['#fff', 'FF0000', '#ff00ff00'], ['', '#ff', 'red']),
  text('IsHSL()', (o) => cv.IsHSL(o), ['hsl(0,50%,50%)', 'HSLA( 120deg 50% 50% / 0.5 )'], ['', 'hsl()', 'red']),
  text('IsRgbColor(true)', (o) => cv.IsRgbColor(true, o), ['rgb(5%,5%,5%)', 'rgba(1,2,3,0.5)'], ['', 'red']),
  text('IsRgbColor(false)', (o) => cv.IsRgbColor(false, o), ['rgb(0,5,255)'], ['', 'rgb(5%,5%,5%)']),
  text('IsStrongPassword()', (o) => cv.IsStrongPassword({}, o), ['aB3$efgh', 'aB3$😀😀'], ['', 'abcdefgh', 'aB3$']),
  text(
    'IsStrongPassword({ minLength: 3, minSymbols: 0 })',
    (o) => cv.IsStrongPassword({ minLength: 3, minSymbols: 0 }, o),
    ['aB3'],
    ['', 'abc'],
  ),
];

/** Codes with check digits, and papers of countries. */
const checkedCodes: readonly ValidatorSample[] = [
  text('IsBIC()', (o) => cv.IsBIC(o), ['CRESCHZZ80A', 'creschzz'], ['', 'CRES', 'CRESXXZZ']),
  text(
    'IsBtcAddress()',
    (o) => cv.IsBtcAddress(o),
    ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', `bc1${'q'.repeat(40)}`],
    ['', '0'],
  ),
  text(
    'IsEthereumAddress()',
    (o) => cv.IsEthereumAddress(o),
    [`0x${'aB'.repeat(20)}`, `0X${'1'.repeat(40)}`],
    ['', '0x1'],
  ),
  text(
    'IsCreditCard()',
    (o) => cv.IsCreditCard(o),
    ['4111 1111-1111 1111', '4111111111111111'],
    ['', '4111111111111112'],
  ),
  text('IsEAN()', (o) => cv.IsEAN(o), ['73513537', '4012345123456'], ['', '73513536', '4012']),
  text(
    'IsIBAN()',
    (o) => cv.IsIBAN({}, o),
    ['CH9300762011623852957', 'ch93 0076-2011 6238 5295 7'],
    ['', 'CH00', 'XX93'],
  ),
  text(
    'IsISBN()',
    (o) => cv.IsISBN(undefined, o),
    ['3-8362-2119-5', '9783836221191', '080442957X'],
    ['', '3836221196'],
  ),
  text('IsISBN(13)', (o) => cv.IsISBN(13, o), ['978-3-8362-2119-1'], ['', '3836221195']),
  text('IsISIN()', (o) => cv.IsISIN(o), ['US0378331005', 'CH0012032048'], ['', 'US0378331006', 'us0378331005']),
  text('IsISRC()', (o) => cv.IsISRC(o), ['USS1Z9900001'], ['', 'USS1Z99', 'uss1z9900001']),
  text('IsISSN()', (o) => cv.IsISSN({}, o), ['0378-5955', '03785955', '2434-561x'], ['', '0378-5954', '0378']),
  text(
    'IsISSN({ require_hyphen: true, case_sensitive: true })',
    (o) => cv.IsISSN({ require_hyphen: true, case_sensitive: true }, o),
    ['0378-5955'],
    ['03785955'],
  ),
  text('IsCurrency()', (o) => cv.IsCurrency({}, o), ['$10.50', '1,000', '-5'], ['', 'a', '1.234']),
  text("IsIdentityCard('ES')", (o) => cv.IsIdentityCard('ES', o), ['99999999R'], ['', '1']),
  text("IsPassportNumber('CH')", (o) => cv.IsPassportNumber('CH', o), ['S1100409'], ['', '1']),
  text("IsPostalCode('CH')", (o) => cv.IsPostalCode('CH', o), ['8001'], ['', '800', '80011']),
  text("IsTaxId('de-DE')", (o) => cv.IsTaxId('de-DE', o), ['26954371827'], ['', '1']),
];

/** Every decorator of class-validator for texts. */
export const stringSamples = [...plainTexts, ...writtenValues, ...addresses, ...codes, ...checkedCodes];
