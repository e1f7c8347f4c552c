import type { ItemOptions } from '../store/rows.js';

/** The products of the generated shop: a name, a typical price, and the options that its variants combine. */
export interface ProductType {
  readonly name: string;
  readonly price: number;
  readonly options: Readonly<Record<string, readonly string[]>>;
}

const colours = ['anthracite', 'sand', 'moss green', 'brick red', 'navy'];

export const productTypes: readonly ProductType[] = [
  { name: 'Rain Jacket', price: 89, options: { colour: colours, size: ['S', 'M', 'L', 'XL'] } },
  { name: 'Wool Blanket', price: 74, options: { colour: colours, width: ['130 cm', '150 cm'] } },
  { name: 'Reading Lamp', price: 58, options: { shade: ['linen', 'glass', 'steel'], plug: ['EU', 'UK', 'US'] } },
  { name: 'Chess Set', price: 46, options: { wood: ['maple', 'walnut', 'cherry'], board: ['35 cm', '45 cm'] } },
  { name: 'Trekking Poles', price: 63, options: { material: ['aluminium', 'carbon'], grip: ['cork', 'foam'] } },
  { name: 'Tent', price: 248, options: { sleeps: ['2', '3', '4'], colour: colours } },
  { name: 'Rucksack', price: 112, options: { volume: ['22 l', '34 l', '48 l'], colour: colours } },
  { name: 'Espresso Machine', price: 389, options: { pressure: ['9 bar', '15 bar'], tank: ['1.2 l', '1.8 l'] } },
  { name: 'Cast Iron Pan', price: 54, options: { diameter: ['24 cm', '28 cm', '32 cm'], handle: ['iron', 'oak'] } },
  { name: 'Chef Knife', price: 97, options: { blade: ['18 cm', '20 cm', '24 cm'], handle: ['oak', 'walnut'] } },
  { name: 'Bread Tin', price: 28, options: { length: ['25 cm', '30 cm'], coating: ['none', 'enamel'] } },
  { name: 'Garden Hose', price: 41, options: { length: ['10 m', '20 m', '30 m'], fitting: ['brass', 'plastic'] } },
  { name: 'Pruning Shears', price: 33, options: { hand: ['left', 'right'], blade: ['bypass', 'anvil'] } },
  { name: 'Wall Clock', price: 49, options: { face: ['white', 'black', 'cork'], diameter: ['25 cm', '35 cm'] } },
  { name: 'Desk Organiser', price: 37, options: { material: ['bamboo', 'felt', 'steel'], drawers: ['0', '2', '4'] } },
  { name: 'Fountain Pen', price: 68, options: { nib: ['F', 'M', 'B'], barrel: ['resin', 'brass', 'wood'] } },
  { name: 'Sketchbook', price: 19, options: { format: ['A5', 'A4', 'A3'], paper: ['120 g', '190 g'] } },
  { name: 'Yoga Block Set', price: 26, options: { material: ['cork', 'foam'], pieces: ['2', '4'] } },
  { name: 'Bicycle Light', price: 44, options: { charge: ['usb', 'dynamo'], beam: ['40 lux', '80 lux'] } },
  { name: 'Picnic Basket', price: 83, options: { places: ['2', '4', '6'], lining: ['check', 'plain'] } },
];

/** Returns every combination of a product's options. */
export function combinationsOf(options: ProductType['options']): readonly ItemOptions[] {
  return Object.entries(options).reduce<readonly ItemOptions[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((combination) => values.map((value) => ({ ...combination, [name]: value }))),
    [{}],
  );
}
