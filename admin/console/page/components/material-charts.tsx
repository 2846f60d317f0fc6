import type { MaterialLine } from '../../api.ts';
import { changeAddress, useRoute } from '../route.ts';
import { useStock } from '../use-stock.ts';
import { clippedRange, usualClients } from './chart-lines.ts';
import { Chip } from './controls.tsx';
import { StepChart, strokeOf } from './step-chart.tsx';

type Props = {
  code: string;
  lines: readonly MaterialLine[];
  /** All warehouses of the page, in the order of their strokes. */
  clients: readonly string[];
  withFindings: readonly string[];
};

/** A chart for each unit, all with one axis of time. The warehouses and the clipping are in the address. */
export const MaterialCharts = ({ code, lines, clients, withFindings }: Props) => {
  const { parameters } = useRoute();
  const { asOf, nameOf } = useStock();
  const chosen = new Set(parameters.get('shown')?.split(',') ?? usualClients(lines, withFindings));
  const isClipped = !parameters.has('outliers');
  const shown = lines.filter(({ client }) => chosen.has(client));
  const toggle = (client: string) =>
    clients.filter((name) => (name === client ? !chosen.has(name) : chosen.has(name))).join();
  const units = Map.groupBy(shown, ({ unit }) => unit);
  const start = shown.reduce((least, { points }) => Math.min(least, points[0]?.at ?? asOf), asOf);
  const canClip = [...units.values()].some(clippedRange);
  return (
    <>
      <fieldset class="flow chips">
        <legend class="hidden">Warehouses in the charts</legend>
        {clients.length > 1 &&
          clients.map((client, index) => (
            <Chip
              key={client}
              isPressed={chosen.has(client)}
              onClick={() => changeAddress({ shown: toggle(client) })}
            >
              <svg width="28" height="8" aria-hidden="true">
                <path d="M0 4H28" style={strokeOf(index)} />
              </svg>{' '}
              {nameOf(client)}
            </Chip>
          ))}
        {canClip && (
          <Chip
            isPressed={isClipped}
            onClick={() => changeAddress({ outliers: isClipped ? 'whole' : undefined })}
          >
            Clip outliers (▲)
          </Chip>
        )}
      </fieldset>
      {[...units].map(([unit, ofUnit]) => (
        <figure key={unit} class="card">
          <figcaption>
            Balance in <bdi>{unit}</bdi>
          </figcaption>
          <StepChart
            {...{ code, unit, clients, start }}
            lines={ofUnit}
            until={asOf}
            range={isClipped ? clippedRange(ofUnit) : undefined}
          />
        </figure>
      ))}
    </>
  );
};
