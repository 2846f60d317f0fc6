import { assumptions } from '../bench/costs/assumptions.ts';
import { readDeployment } from '../bench/costs/deployment.ts';
import { readMeasured } from '../bench/costs/measured.ts';
import { monthOf } from '../bench/costs/month.ts';
import { batchName, chargesOf, costOf } from '../bench/costs/request.ts';

/** The requests of a proof, in kinds whose costs were measured. */
const sent = { [batchName(40_000)]: 8, [batchName(200)]: 4_000, change: 8_000 };

const WARM = { authorizer: 0, function: 0 };

/** The approximate cost of a proof in dollars: its requests, and an hour of all monthly prices. */
export const priceOfProof = async () => {
  const model = {
    measured: readMeasured(),
    deployment: await readDeployment(assumptions.clientsPerDeployment),
  };
  const { firstMonth, refusals, requestsDollars } = monthOf(model, 1, 1);
  const hour = (firstMonth + refusals - requestsDollars) / assumptions.hoursPerMonth;
  const requests = Object.entries(sent).map(([name, count]) => count * costOf(chargesOf(model, name, WARM)));
  return requests.reduce((sum, dollars) => sum + dollars, hour);
};
