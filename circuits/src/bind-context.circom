pragma circom 2.1.0;

// Puts the public context (the digest of the signed call) into a constraint, so that no proof serves another call.
template BindContext() {
    signal input ctx;

    signal square <== ctx * ctx;
}
