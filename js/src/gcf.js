/*
 * gcf.js - the names of GCF's page: encode for code graphs, encodeGeneric for everything else.
 */
import { decode as decodeAny, encode as encodeAny } from 'libpith';

export const encode = (graph, settings) => encodeAny(graph, { ...settings, format: 'gcf-graph' });
export const decode = (text, options) => decodeAny(text, { ...options, format: 'gcf-graph' });
export const encodeGeneric = (value, settings) => encodeAny(value, { ...settings, format: 'gcf' });
export const decodeGeneric = (text, options) => decodeAny(text, { ...options, format: 'gcf' });
