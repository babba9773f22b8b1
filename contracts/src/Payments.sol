// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_NOTE, FIELD_ORDER} from "./Constants.sol";
import {Budgets} from "./Budgets.sol";
import {Groth16} from "./Groth16.sol";
import {StructHashes} from "./StructHashes.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// Payments under no policy, one or many, and moves between an owner and its agents.
abstract contract Payments is Budgets {
    uint256 private constant MOST_PAYMENTS = 16;

    /// @inheritdoc ILedger
    function transfer(TransferParams calldata params, Proof calldata proof, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.newBudget);
        _checkPayee(params.account, params.to);
        uint64 version = _checkNotRuled(params.account);
        Slot storage budget = _budget(params.account, params.asset);
        uint256 oldBudget = _word(budget);
        bytes32 digest = _digest(StructHashes.transfer(params, oldBudget, version));
        _checkWalletOrSpender(params.account, digest, signature);
        uint256[4] memory signals = [oldBudget, params.newBudget, params.note, uint256(digest) % FIELD_ORDER];
        Groth16.check(transferVerifier, proof, signals);
        // Effects
        budget.word = params.newBudget;
        _openNote(params.to, params.asset, params.note);
        emit Transferred(
            params.account,
            params.to,
            params.asset,
            oldBudget,
            params.newBudget,
            params.note,
            params.recipientCiphertext,
            params.payerCiphertext
        );
    }

    /// @inheritdoc ILedger
    function release(ReleaseParams calldata params, Proof calldata proof, bytes calldata signature)
        external
        nonReentrant
    {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.newBudget);
        uint256 tokenAmount = _checkRelease(params.to, params.asset, params.amount);
        uint64 version = _checkNotRuled(params.account);
        Slot storage budget = _budget(params.account, params.asset);
        uint256 oldBudget = _word(budget);
        bytes32 digest = _digest(StructHashes.release(params, oldBudget, version));
        _checkWalletOrSpender(params.account, digest, signature);
        uint256[4] memory signals = [oldBudget, params.newBudget, params.amount, uint256(digest) % FIELD_ORDER];
        Groth16.check(releaseVerifier, proof, signals);
        // Effects
        _usePaymentId(params.account, params.paymentId);
        budget.word = params.newBudget;
        emit Released(
            params.account,
            params.to,
            params.asset,
            oldBudget,
            params.newBudget,
            params.amount,
            params.paymentId,
            params.payerCiphertext
        );
        // Interactions
        _pay(params.to, params.asset, tokenAmount);
    }

    /// @inheritdoc ILedger
    function transferMany(TransferManyParams calldata params, Proof calldata proof, bytes calldata signature)
        external
    {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.newBudget);
        (address account_, address asset) = (params.account, params.asset);
        Payment[] calldata payments = params.payments;
        (uint64 version, bool ruled) = _policyState(account_);
        Slot storage budget = _budget(account_, asset);
        uint256 oldBudget = _word(budget);
        (uint256[19] memory signals, bytes32 paymentsHash) = _readPayments(account_, payments);
        bytes32 digest = _digest(StructHashes.transferMany(params, oldBudget, paymentsHash, version));
        if (ruled) _checkWallet(account_, _walletOf(account_), digest, signature);
        else _checkWalletOrSpender(account_, digest, signature);
        (signals[0], signals[1], signals[18]) = (oldBudget, params.newBudget, uint256(digest) % FIELD_ORDER);
        Groth16.check(payManyVerifier, proof, signals);
        // Effects (each note is opened before the next is looked at: a batch holds none twice)
        budget.word = params.newBudget;
        emit BatchTransferred(account_, asset, oldBudget, params.newBudget, params.payerCiphertext);
        for (uint256 i = 0; i < payments.length; ++i) {
            Payment calldata payment = payments[i];
            (address to, uint256 note) = (payment.to, payment.note);
            _openNote(to, asset, note);
            emit Paid(account_, to, asset, note, payment.recipientCiphertext);
        }
    }

    /// @inheritdoc ILedger
    function fund(FundParams calldata params, Proof calldata proof, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.fromNewBudget);
        _checkNewBudget(params.toNewBudget);
        if (params.from == params.to) revert PaymentToSelf(params.from);
        address owner = _ownerOfPair(params.from, params.to);
        Slot storage fromBudget = _budget(params.from, params.asset);
        Slot storage toBudget = _budget(params.to, params.asset);
        (uint256 fromOldBudget, uint256 toOldBudget) = (_word(fromBudget), _word(toBudget));
        bytes32 digest = _digest(StructHashes.fund(params, fromOldBudget, toOldBudget));
        _checkOwner(owner, digest, signature);
        uint256[5] memory signals = [
            fromOldBudget, params.fromNewBudget, toOldBudget, params.toNewBudget, uint256(digest) % FIELD_ORDER
        ];
        Groth16.check(fundVerifier, proof, signals);
        // Effects
        _usePaymentId(owner, params.paymentId);
        (fromBudget.word, toBudget.word) = (params.fromNewBudget, params.toNewBudget);
        emit Funded(
            params.from,
            params.to,
            params.asset,
            fromOldBudget,
            params.fromNewBudget,
            toOldBudget,
            params.toNewBudget,
            params.paymentId,
            params.fromCiphertext,
            params.toCiphertext
        );
    }

    function _checkNotRuled(address account_) private view returns (uint64 version) {
        bool ruled;
        (version, ruled) = _policyState(account_);
        if (ruled) revert AccountIsRuled(account_);
    }

    /// Checks how many payments there are and who gets them.
    /// @return signals the notes in their places; EMPTY_NOTE where there is no payment
    /// @return paymentsHash of the list in the signed struct
    function _readPayments(address account_, Payment[] calldata payments)
        private
        view
        returns (uint256[19] memory signals, bytes32 paymentsHash)
    {
        uint256 count = payments.length;
        if (count < 2 || count > MOST_PAYMENTS) revert InvalidCount(count);
        bytes32[] memory hashes = new bytes32[](count);
        for (uint256 i = 0; i < count; ++i) {
            Payment calldata payment = payments[i];
            (address to, uint256 note) = (payment.to, payment.note);
            _checkPayee(account_, to);
            signals[i + 2] = note;
            hashes[i] = StructHashes.payment(to, note, payment.recipientCiphertext);
        }
        for (uint256 i = count; i < MOST_PAYMENTS; ++i) {
            signals[i + 2] = EMPTY_NOTE;
        }
        paymentsHash = StructHashes.list(hashes);
    }
}
