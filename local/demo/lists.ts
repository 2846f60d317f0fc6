/** How the materials of one kind are named, counted and stocked. */
const kinds = [
  {
    kind: 'Болт',
    group: 'Fasteners',
    unit: 'kg',
    weight: 0.018,
    stock: 300,
    size: (n: number) => `M${n + 3}`,
  },
  {
    kind: 'Гайка',
    group: 'Fasteners',
    unit: 'kg',
    weight: 0.011,
    stock: 200,
    size: (n: number) => `M${n + 3}`,
  },
  {
    kind: 'Лист',
    group: 'Sheet metal',
    unit: 'kg',
    weight: 7.85,
    stock: 9_000,
    size: (n: number) => `${n} мм`,
  },
  {
    kind: 'Rohr',
    group: 'Tubes',
    unit: 'kg',
    weight: 1.42,
    stock: 2_500,
    size: (n: number) => `DN ${n * 10}`,
  },
  {
    kind: 'Profil',
    group: 'Profiles',
    unit: 'kg',
    weight: 2.1,
    stock: 3_000,
    size: (n: number) => `${n * 10} mm`,
  },
  {
    kind: 'Sheet',
    group: 'Sheet metal',
    unit: 'kg',
    weight: 2.7,
    stock: 4_000,
    size: (n: number) => `${n} mm`,
  },
  {
    kind: 'Śruba',
    group: 'Fasteners',
    unit: 'kg',
    weight: 0.024,
    stock: 250,
    size: (n: number) => `M${n + 3}`,
  },
  { kind: 'Kabel', group: 'Cables', unit: 'm', weight: 0.085, stock: 1_200, size: (n: number) => `${n} mm²` },
];

const MATERIALS_PER_KIND = 15;

/** The codes of the list, with their attributes and the usual stock of a warehouse. */
export const materials = kinds.flatMap(({ kind, group, unit, weight, stock, size }, index) =>
  Array.from({ length: MATERIALS_PER_KIND }, (_, place) => ({
    code: `${kind}-${index + 1}/${String(place + 1).padStart(3, '0')}`,
    name: `${kind} ${size(place + 1)}`,
    group,
    unit,
    weight: Math.round(weight * (place + 1) * 1_000) / 1_000,
    stock,
  })),
);
export type Material = (typeof materials)[number];

const suppliers = ['Nordstahl', 'Уралметалл', 'Fasteners Ltd', 'Kabelwerk'];

export const orders = Array.from({ length: 40 }, (_, index) => ({
  order: `OT${4_500_000 + index * 17}`,
  supplier: suppliers[index % suppliers.length] ?? '',
  lines: 1 + (index % 7),
}));
