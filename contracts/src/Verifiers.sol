// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "./interfaces/ILedger.sol";
import {
    IMakeAvailableVerifier,
    IFundVerifier,
    IPayManyVerifier,
    IReleaseVerifier,
    ISpendPublicVerifier,
    ISpendVerifier,
    ITransferVerifier
} from "./interfaces/IVerifiers.sol";

/// The verifiers of a ledger, chosen once.
struct VerifierSet {
    ITransferVerifier transfer;
    IReleaseVerifier release;
    IFundVerifier fund;
    IMakeAvailableVerifier makeAvailable;
    ISpendVerifier spend;
    ISpendPublicVerifier spendPublic;
    IPayManyVerifier payMany;
}

/// Holds the verifiers. They are pure functions of their calldata, called with STATICCALL, so a proof counts as a check.
abstract contract Verifiers is ILedger {
    ITransferVerifier public immutable transferVerifier;
    IReleaseVerifier public immutable releaseVerifier;
    IFundVerifier public immutable fundVerifier;
    IMakeAvailableVerifier public immutable makeAvailableVerifier;
    ISpendVerifier public immutable spendVerifier;
    ISpendPublicVerifier public immutable spendPublicVerifier;
    IPayManyVerifier public immutable payManyVerifier;

    constructor(VerifierSet memory verifiers) {
        _checkCode(address(verifiers.transfer));
        _checkCode(address(verifiers.release));
        _checkCode(address(verifiers.fund));
        _checkCode(address(verifiers.makeAvailable));
        _checkCode(address(verifiers.spend));
        _checkCode(address(verifiers.spendPublic));
        _checkCode(address(verifiers.payMany));
        transferVerifier = verifiers.transfer;
        releaseVerifier = verifiers.release;
        fundVerifier = verifiers.fund;
        makeAvailableVerifier = verifiers.makeAvailable;
        spendVerifier = verifiers.spend;
        spendPublicVerifier = verifiers.spendPublic;
        payManyVerifier = verifiers.payMany;
    }

    function _checkCode(address verifier) private view {
        if (verifier.code.length == 0) revert NoCode(verifier);
    }
}
