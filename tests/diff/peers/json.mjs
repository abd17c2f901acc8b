// json.mjs - JavaScript's own JSON.
import { serve } from './serve.mjs';

serve((json) => JSON.stringify(JSON.parse(json)),
    (text) => JSON.stringify(JSON.parse(text)));
