/** The names of GCF's page. */
import type { Common, Values, Text, NotNumbers } from './index.js';
import type { ReadSettings, WriteSettings } from './settings.js';

/** A code graph, { symbols: [...], edges: [...] }, in the graph profile. */
export function encode(graph: object, settings?: WriteSettings['gcf-graph'] & Common): string;
/** The graph that a text says. */
export function decode(text: Text, options?: ReadSettings['gcf-graph'] & Common & Values): any;
/** Any value in the tabular profile. */
export function encodeGeneric(value: unknown, settings?: WriteSettings['gcf'] & Common & NotNumbers): string;
/** The value that a text says. */
export function decodeGeneric(text: Text, options?: ReadSettings['gcf'] & Common & Values): any;
