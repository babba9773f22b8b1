// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_NOTE, FIELD_ORDER} from "../../src/Constants.sol";
import {TestUSDG} from "../../src/tokens/TestUSDG.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {AnyVerifier} from "./AnyVerifier.sol";
import {deployLedgerWith} from "./DeployLedger.sol";
import {StructSigner} from "./StructSigner.sol";
import {vm} from "./Vm.sol";

/// A ledger whose verifiers take every proof, with alice (and her payment key and agent) and bob enrolled. The agent
/// has a policy: a commitment for USDG, and anyone may be paid.
abstract contract LedgerTest is StructSigner {
    uint64 internal constant NOW = 1_800_000_000;
    uint64 internal constant SOON = NOW + 1 hours;
    uint64 internal constant UNTIL = NOW + 30 days;
    uint64 internal constant NO_END = 2 ** 40 - 1;
    uint32 internal constant TODAY = uint32(NOW / 1 days);
    uint256 internal constant ALICE_KEY = 0xa11ce;
    uint256 internal constant BOB_KEY = 0xb0b;
    uint256 internal constant AGENT_KEY = 0xa6e47;
    uint256 internal constant PAYMENT_KEY = 0x59e4d;
    uint256 internal constant STRANGER_KEY = 0x57a46e;
    bytes32 internal constant ANYONE = bytes32(uint256(1));

    address internal alice = vm.addr(ALICE_KEY);
    address internal bob = vm.addr(BOB_KEY);
    address internal agent = vm.addr(AGENT_KEY);
    address internal paymentKey = vm.addr(PAYMENT_KEY);
    address internal stranger = vm.addr(STRANGER_KEY);
    address internal carol = address(0xca401);
    address internal relayer = address(0x4e1a);
    address internal minter = address(0x317);

    TestUSDG internal usdg;
    ILedger.Proof internal proof;
    ILedger.RecipientProof internal noPath;
    address internal verifier;

    function setUp() public virtual {
        vm.warp(NOW);
        vm.roll(1000);
        verifier = address(new AnyVerifier());
        ledger = deployLedgerWith(address(this), verifier);
        separator = ledger.domainSeparator();
        usdg = new TestUSDG(minter);
        ledger.listAsset(address(usdg), 1, type(uint64).max);
        ledger.listAsset(address(0), 1 gwei, type(uint64).max);
        _enroll(ALICE_KEY, paymentKey);
        _enroll(BOB_KEY, address(0));
        _enrollAgent(ALICE_KEY, AGENT_KEY);
        _setPolicy(alice, _policyParams(agent, true));
    }

    /// An unused commitment, different for each seed.
    function _commitment(uint256 seed) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode("commitment", seed))) % FIELD_ORDER;
    }

    /// A ciphertext, different for each text.
    function _copy(string memory text) internal pure returns (bytes32[4] memory copy) {
        for (uint256 i = 0; i < 4; ++i) {
            copy[i] = keccak256(abi.encode(text, i));
        }
    }

    function _enroll(uint256 key, address paymentKey_) internal {
        ILedger.EnrollParams memory params =
            ILedger.EnrollParams(vm.addr(key), keccak256(abi.encode(key)), paymentKey_, UNTIL, "encrypted account key", SOON);
        vm.prank(vm.addr(key));
        ledger.enroll(params, "");
    }

    function _enrollAgent(uint256 ownerKey, uint256 agentKey) internal {
        bytes memory signature = _signEnrollAgent(agentKey, vm.addr(agentKey), vm.addr(ownerKey), SOON);
        vm.prank(vm.addr(ownerKey));
        ledger.enrollAgent(vm.addr(agentKey), vm.addr(ownerKey), SOON, "", signature);
    }

    function _setPolicy(address wallet, ILedger.PolicyParams memory p) internal {
        vm.prank(wallet);
        ledger.setPolicy(p, "");
    }

    /// Makes alice limited, with the policy of `_policyParams`.
    function _ruleAlice() internal {
        _setPolicy(alice, _policyParams(alice, true));
    }

    function _setGuarded(address account, bool guarded) internal {
        vm.prank(account);
        ledger.setGuarded(account, guarded, SOON, "");
    }

    function _setAgentSigner(address agent_, address signer, uint64 until) internal {
        vm.prank(alice);
        ledger.setAgentSigner(_agentSignerParams(agent_, signer, until), "");
    }

    /// Credits `units` of USDG.
    function _deposit(address who, uint64 units) internal {
        vm.prank(minter);
        usdg.mint(who, units);
        vm.startPrank(who);
        usdg.approve(address(ledger), units);
        ledger.deposit(address(usdg), units);
        vm.stopPrank();
    }

    /// A commitment for USDG, and anyone may be paid.
    function _policyParams(address account, bool limited) internal view returns (ILedger.PolicyParams memory p) {
        (p.account, p.limited, p.recipientsRoot, p.documentHash) = (account, limited, ANYONE, keccak256("document"));
        p.assets = new address[](1);
        p.commitments = new uint256[](1);
        (p.assets[0], p.commitments[0], p.deadline) = (address(usdg), _commitment(uint256(uint160(account))), SOON);
    }

    function _agentSignerParams(address agent_, address signer, uint64 until)
        internal
        view
        returns (ILedger.AgentSignerParams memory p)
    {
        (p.owner, p.agents, p.signers) = (alice, new address[](1), new address[](1));
        (p.agents[0], p.signers[0], p.until, p.deadline) = (agent_, signer, until, SOON);
    }

    /// alice pays bob.
    function _transferParams(uint256 seed) internal view returns (ILedger.TransferParams memory) {
        return ILedger.TransferParams({
            account: alice,
            to: bob,
            asset: address(usdg),
            newAvailable: _commitment(seed),
            note: _commitment(seed + 1),
            deadline: SOON,
            recipientCiphertext: _copy("to bob"),
            payerCiphertext: _copy("to alice")
        });
    }

    /// alice releases 5 units to carol.
    function _releaseParams(uint256 seed) internal view returns (ILedger.ReleaseParams memory) {
        return ILedger.ReleaseParams({
            account: alice,
            to: carol,
            asset: address(usdg),
            newAvailable: _commitment(seed),
            amount: 5,
            paymentId: bytes32(_commitment(seed + 1)),
            deadline: SOON,
            payerCiphertext: _copy("to alice")
        });
    }

    /// The agent pays bob, signed by itself.
    function _spendParams(uint256 seed) internal view returns (ILedger.SpendParams memory p) {
        (p.account, p.to, p.asset, p.newAvailable, p.note) = (agent, bob, address(usdg), _commitment(seed), _commitment(seed + 1));
        (p.day, p.encryptedAmount, p.deadline) = (TODAY, _commitment(seed + 2), SOON);
        (p.recipientCiphertext, p.payerCiphertext) = (_copy("to bob"), _copy("to alice"));
    }

    /// The agent pays 5 units to carol, signed by itself.
    function _spendPublicParams(uint256 seed) internal view returns (ILedger.SpendPublicParams memory p) {
        (p.account, p.to, p.asset, p.newAvailable, p.amount) = (agent, carol, address(usdg), _commitment(seed), 5);
        (p.day, p.paymentId, p.deadline, p.payerCiphertext) = (TODAY, bytes32(_commitment(seed + 1)), SOON, _copy("to alice"));
    }

    /// alice pays bob `count` times.
    function _manyParams(uint256 seed, uint256 count) internal view returns (ILedger.TransferManyParams memory p) {
        (p.account, p.asset, p.newAvailable, p.deadline) = (alice, address(usdg), _commitment(seed), SOON);
        for (uint256 i = 0; i < 8; ++i) {
            p.payerCiphertext[i] = keccak256(abi.encode("to alice", i));
        }
        p.payments = new ILedger.Payment[](count);
        for (uint256 i = 0; i < count; ++i) {
            p.payments[i] = ILedger.Payment(bob, _commitment(seed + 1 + i), _copy(vm.toString(i)));
        }
    }

    /// alice funds her agent.
    function _fundParams(uint256 seed) internal view returns (ILedger.FundParams memory) {
        return ILedger.FundParams({
            fromAgent: false,
            from: alice,
            to: agent,
            asset: address(usdg),
            fromNewAvailable: _commitment(seed),
            toNewAvailable: _commitment(seed + 1),
            paymentId: bytes32(_commitment(seed + 2)),
            deadline: SOON,
            fromCiphertext: _copy("to alice"),
            toCiphertext: _copy("to alice too")
        });
    }

    /// alice makes money available, from no note and no deposited money, without change.
    function _makeAvailableParams(uint256 seed) internal view returns (ILedger.MakeAvailableParams memory params) {
        params.account = alice;
        params.asset = address(usdg);
        params.newAvailable = _commitment(seed);
        for (uint256 i = 0; i < 8; ++i) {
            params.notes[i] = EMPTY_NOTE;
        }
        params.changeNote = EMPTY_NOTE;
        params.deadline = SOON;
        params.ciphertext = _copy("to alice");
    }

    /// Opens a note of `key`'s account as the change of a move to the available balance, and returns it.
    function _openNote(uint256 key, uint256 seed) internal returns (uint256 note) {
        ILedger.MakeAvailableParams memory params = _makeAvailableParams(seed);
        params.account = vm.addr(key);
        params.changeNote = note = _commitment(seed + 1);
        vm.prank(params.account);
        ledger.makeAvailable(params, proof, "");
    }

    function _nonce(address who) internal view returns (uint64) {
        return ledger.account(who).nonce;
    }

    function _status(address who, uint256 note) internal view returns (ILedger.NoteStatus) {
        return ledger.noteStatus(who, address(usdg), note);
    }

    function _assertStatus(address who, uint256 note, ILedger.NoteStatus expected) internal view {
        vm.assertEq(uint256(_status(who, note)), uint256(expected));
    }

    function _old(address who) internal view returns (uint256) {
        return ledger.availableOf(who, address(usdg));
    }

    function _expectNotAuthorized(address account, address signer) internal {
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAuthorized.selector, account, signer));
    }
}
