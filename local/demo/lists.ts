const thread = (size: number) => `M${size + 3}`;
const millimetres = (size: number) => `${size} mm`;

/** Kind, group, unit, weight of the smallest size, usual stock of a warehouse, and the name of a size. */
const kinds = [
  ['Болт', 'Fasteners', 'kg', 0.018, 300, thread],
  ['Гайка', 'Fasteners', 'kg', 0.011, 200, thread],
  ['Лист', 'Sheet metal', 'kg', 7.85, 9_000, (size: number) => `${size} мм`],
  ['Rohr', 'Tubes', 'kg', 1.42, 2_500, (size: number) => `DN ${size * 10}`],
  ['Profil', 'Profiles', 'kg', 2.1, 3_000, (size: number) => millimetres(size * 10)],
  ['Sheet', 'Sheet metal', 'kg', 2.7, 4_000, millimetres],
  ['Śruba', 'Fasteners', 'kg', 0.024, 250, thread],
  ['Kabel', 'Cables', 'm', 0.085, 1_200, (size: number) => `${size} mm²`],
] as const;

const MATERIALS_PER_KIND = 15;

export const materials = kinds.flatMap(([kind, Group, Unit, weight, usualAmount, sizeOf], index) =>
  Array.from({ length: MATERIALS_PER_KIND }, (_, sizeIndex) => {
    const size = sizeIndex + 1;
    const MaterialCode = `${kind}-${index + 1}/${String(size).padStart(3, '0')}`;
    const Weight = Math.round(weight * size * 1_000) / 1_000;
    return { row: { MaterialCode, Name: `${kind} ${sizeOf(size)}`, Group, Unit, Weight }, usualAmount };
  }),
);

const suppliers = ['Nordstahl', 'Уралметалл', 'Fasteners Ltd', 'Kabelwerk'];

export const orders = Array.from({ length: 40 }, (_, index) => ({
  PurchaseOrder: `OT${4_500_000 + index * 17}`,
  Supplier: suppliers[index % suppliers.length],
  Lines: 1 + (index % 7),
}));
