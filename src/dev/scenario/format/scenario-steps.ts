/** Which of a story's steps is what. */
import type { ScenarioDelivery, ScenarioStep } from './scenario.ts';

export const isDelivery = (step: ScenarioStep): step is ScenarioDelivery =>
  'source' in step && !('person' in step) && !('until' in step);

/** What it says of events and orders stands in there. */
export const isToldByBytes = ({ body, bodyBase64, bodyFile }: ScenarioDelivery): boolean =>
  body !== undefined || bodyBase64 !== undefined || bodyFile !== undefined;
