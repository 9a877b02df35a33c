import { describeConformance } from '../conformance.ts';
import { stripeWorld } from './world.ts';

describeConformance(stripeWorld);
