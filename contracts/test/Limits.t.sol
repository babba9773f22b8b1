// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../src/interfaces/ILedger.sol";
import {deployLedgerWith} from "./helpers/DeployLedger.sol";
import {IdealVerifier} from "./helpers/IdealVerifier.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {Structs} from "./helpers/Structs.sol";
import {vm} from "./helpers/Vm.sol";

/// Invariant 11: the owner is guarded, its payment key's and its agent's keys are an attacker's, who is also the
/// relayer and proves whatever is true.
/// ├── over n days exactly n + 3 daily limits can leave the agent's available balance
/// └── fuzz with time travel: never more, and never to anyone outside the root; the owner's wallet did nothing
contract LimitsTest is LedgerTest {
    uint64 private constant FUNDS = 1_000_000;
    uint64 private constant PER_PAYMENT = 60;
    uint64 private constant DAILY = 100;
    uint64 private constant THRESHOLD = 40;
    uint256 private constant START = uint256(TODAY) * 1 days;

    /// A payment that the attacker tries, with the window that it wants afterwards.
    struct Attempt {
        uint256 key;
        uint8 mode;
        uint32 day;
        uint64 amount;
        address to;
        uint64 spent;
        uint32 next;
    }

    IdealVerifier private ideal;
    uint256 private salt;
    uint256 private random;
    bytes32[2] private leaves;
    uint256 private paid;
    uint256 private refused;

    function setUp() public override {
        super.setUp();
        ideal = new IdealVerifier();
        ledger = deployLedgerWith(address(this), address(ideal));
        separator = ledger.domainSeparator();
        ledger.listAsset(address(usdg), 1, type(uint64).max);
        vm.warp(START);
        _enroll(ALICE_KEY, paymentKey);
        _enroll(BOB_KEY, address(0));
        _enroll(STRANGER_KEY, address(0));
        bytes memory signature = _signEnrollAgent(AGENT_KEY, agent, alice, uint64(START + 1 hours));
        vm.prank(alice);
        ledger.enrollAgent(agent, alice, uint64(START + 1 hours), "", signature);
        vm.prank(alice);
        ledger.setGuarded(alice, true, uint64(START + 1 hours), "");
        leaves = [_leaf(bob), _leaf(carol)];
        ILedger.PolicyParams memory p = _policyParams(agent, true);
        (p.recipientsRoot, p.deadline) = (_root(), uint64(START + 1 hours));
        p.commitments[0] = ideal.commitPolicy(PER_PAYMENT, DAILY, THRESHOLD, ++salt);
        _setPolicy(alice, p);
        _deposit(alice, FUNDS);
        _give();
    }

    function test_Invariant11_NPlus3DailyLimitsAreReachedAndNeverPassed() public {
        for (uint256 n = 1; n <= 4; ++n) {
            uint256 start = vm.snapshotState();
            // The last second in which three days can be named: the oldest ends.
            uint256 begin = START + 5 days + 36 hours - 1;
            uint256 spent;
            for (uint256 i = 0; i <= n; ++i) {
                vm.warp(begin + i * 1 days);
                for (uint32 day = TODAY; day < TODAY + 20; ++day) {
                    while (_spendWhatIsLeft(day)) {}
                }
            }
            spent = FUNDS - ideal.available(_old(agent)).limit;
            vm.assertEq(spent, (n + 3) * DAILY, "n + 3 days were not reached, or passed");
            vm.revertToState(start);
        }
    }

    function testFuzz_Invariant11_NoSequencePassesThePolicies(uint256 seed) public {
        random = seed;
        vm.warp(START + 5 days + _next(1 days));
        uint256 begin = block.timestamp;
        for (uint256 step = 0; step < 40; ++step) {
            _act();
            uint256 elapsed = block.timestamp - begin;
            uint256 bound = ((elapsed + 1 days - 1) / 1 days + 3) * DAILY;
            uint256 spent = FUNDS - ideal.available(_old(agent)).limit;
            vm.assertLe(spent, bound, "more than the policies allow left the agent");
            vm.assertEq(spent, paid, "something left the agent otherwise");
        }
        vm.assertEq(ledger.account(alice).guarded, true, "the guard is gone");
        vm.assertTrue(refused > 0, "nothing was refused");
    }

    /// The fuzz test means something only when payments pass and attacks are tried.
    function test_TheAttackerReachesEveryAction() public {
        vm.warp(START + 5 days);
        random = 1;
        for (uint256 step = 0; step < 100; ++step) {
            _act();
        }
        vm.assertGe(paid, DAILY, "nothing was paid");
        vm.assertGe(refused, 20, "nothing was refused");
    }

    /// One thing that an attacker with both keys may try.
    function _act() private {
        uint256 kind = _next(12);
        if (kind < 3) vm.warp(block.timestamp + _next(20 hours));
        else if (kind < 9) _trySpend(kind);
        else if (kind == 9) _tryFund();
        else if (kind == 10) _tryLoosen();
        else _tryRest();
    }

    /// The most that one payment may be, by approval.
    function _spendWhatIsLeft(uint32 day) private returns (bool) {
        IdealVerifier.AvailableBalance memory b = ideal.available(_old(agent));
        uint64 left = day > b.day ? DAILY : DAILY - b.spent;
        uint64 amount = left < PER_PAYMENT ? left : PER_PAYMENT;
        if (amount == 0) return false;
        return _spend(Attempt(PAYMENT_KEY, 1, day, amount, bob, day > b.day ? amount : b.spent + amount, day));
    }

    function _trySpend(uint256 kind) private {
        IdealVerifier.AvailableBalance memory b = ideal.available(_old(agent));
        Attempt memory a;
        a.day = uint32(block.timestamp / 1 days + _next(5) - 2);
        a.amount = uint64(_next(3) == 0 ? _next(200) : _next(THRESHOLD) + 1);
        a.mode = uint8(_next(8) == 0 ? _next(4) : kind % 2);
        a.key = _next(6) == 0 || a.mode == 0 ? AGENT_KEY : PAYMENT_KEY;
        if (a.mode == 2 && _next(2) == 0) a.day = 0;
        // Usually what is true; at times a window that forgets, or one of another day.
        (a.spent, a.next) = a.day > b.day ? (a.amount, a.day) : (b.spent + a.amount, b.day);
        if (_next(6) == 0) a.spent = a.amount;
        if (_next(8) == 0) a.next = a.day;
        a.to = _next(5) == 0 ? stranger : (kind < 6 ? bob : carol);
        if (kind < 6) _spend(a);
        else _spendPublic(a);
    }

    function _spend(Attempt memory a) private returns (bool) {
        ILedger.SpendParams memory p = _spendParams(0);
        (p.to, p.mode, p.day, p.deadline) = (a.to, a.mode, a.day, uint64(block.timestamp));
        (p.newAvailable, p.note) = (_less(a), ideal.commitNote(a.amount, ++salt));
        bytes memory signature = _sign(a.key, _hash(p));
        return _tryPay(abi.encodeCall(ILedger.spend, (p, _path(a.to == bob ? 0 : 1), proof, signature)), a);
    }

    function _spendPublic(Attempt memory a) private returns (bool) {
        ILedger.SpendPublicParams memory p = _spendPublicParams(0);
        (p.to, p.mode, p.day, p.deadline) = (a.to, a.mode, a.day, uint64(block.timestamp));
        (p.newAvailable, p.amount, p.paymentId) = (_less(a), a.amount, bytes32(++salt));
        bytes memory signature = _sign(a.key, _hash(p));
        return _tryPay(abi.encodeCall(ILedger.spendPublic, (p, _path(a.to == bob ? 0 : 1), proof, signature)), a);
    }

    function _tryPay(bytes memory data, Attempt memory a) private returns (bool success) {
        (success,) = address(ledger).call(data);
        if (!success) {
            ++refused;
            return false;
        }
        paid += a.amount;
        vm.assertTrue(a.to == bob || a.to == carol, "someone outside the root was paid");
    }

    function _tryFund() private {
        ILedger.FundParams memory p = _fundParams(0);
        (p.from, p.to) = _next(2) == 0 ? (agent, alice) : (alice, agent);
        (p.paymentId, p.deadline) = (bytes32(++salt), uint64(block.timestamp));
        IdealVerifier.AvailableBalance memory from = ideal.available(_old(p.from));
        IdealVerifier.AvailableBalance memory to = ideal.available(_old(p.to));
        uint64 amount = from.limit / 2;
        p.fromNewAvailable = ideal.commitAvailable(from.limit - amount, from.spent, from.day, ++salt);
        p.toNewAvailable = ideal.commitAvailable(to.limit + amount, to.spent, to.day, ++salt);
        _refuse(abi.encodeCall(ILedger.fund, (p, proof, _sign(_anyKey(), _hash(p)))));
    }

    /// Another policy for the agent, for the account itself, or another signer of the agent.
    function _tryLoosen() private {
        ILedger.PolicyParams memory p = _policyParams(_next(3) == 0 ? alice : agent, true);
        (p.commitments[0], p.deadline) = (ideal.commitPolicy(FUNDS, FUNDS, FUNDS, ++salt), uint64(block.timestamp));
        _refuse(abi.encodeCall(ILedger.setPolicy, (p, _sign(_anyKey(), _hash(p)))));
        ILedger.AgentSignerParams memory q = _agentSignerParams(agent, paymentKey, NO_END);
        q.deadline = uint64(block.timestamp);
        _refuse(abi.encodeCall(ILedger.setAgentSigner, (q, _sign(_anyKey(), _hash(q)))));
    }

    function _tryRest() private {
        uint64 deadline = uint64(block.timestamp);
        uint64 nonce = _nonce(agent);
        bytes32 hash = Structs.abandon(agent, address(usdg), _old(agent), nonce, deadline);
        _refuse(abi.encodeCall(ILedger.abandon, (agent, address(usdg), deadline, _sign(_anyKey(), hash))));
        hash = Structs.setGuarded(alice, false, _nonce(alice), deadline);
        _refuse(abi.encodeCall(ILedger.setGuarded, (alice, false, deadline, _sign(_anyKey(), hash))));
        ILedger.TransferManyParams memory m = _manyParams(0, 2);
        (m.account, m.deadline) = (agent, deadline);
        IdealVerifier.AvailableBalance memory b = ideal.available(_old(agent));
        m.newAvailable = ideal.commitAvailable(b.limit - 2, b.spent, b.day, ++salt);
        m.payments[0].note = ideal.commitNote(1, ++salt);
        m.payments[1].note = ideal.commitNote(1, ++salt);
        _refuse(abi.encodeCall(ILedger.transferMany, (m, proof, _sign(_anyKey(), _hash(m)))));
        ILedger.MakeAvailableParams memory a = _makeAvailableParams(0);
        (a.account, a.deadline) = (agent, deadline);
        a.newAvailable = ideal.commitAvailable(b.limit, 0, 0, ++salt);
        _refuse(abi.encodeCall(ILedger.makeAvailable, (a, proof, _sign(_anyKey(), _hash(a)))));
    }

    function _refuse(bytes memory data) private {
        (bool success,) = address(ledger).call(data);
        vm.assertFalse(success, "a key did what the wallet alone may do");
        ++refused;
    }

    function _anyKey() private returns (uint256) {
        return _next(2) == 0 ? PAYMENT_KEY : AGENT_KEY;
    }

    /// The agent's available balance with the amount less, where there is so much, and the window that the attacker
    /// wants.
    function _less(Attempt memory a) private returns (uint256) {
        uint64 limit = ideal.available(_old(agent)).limit;
        return ideal.commitAvailable(a.amount > limit ? 0 : limit - a.amount, a.spent, a.next, ++salt);
    }

    /// alice's wallet gives the agent everything.
    function _give() private {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(0);
        (p.deposited, p.deadline) = (FUNDS, uint64(block.timestamp));
        p.newAvailable = ideal.commitAvailable(FUNDS, 0, 0, ++salt);
        vm.prank(alice);
        ledger.makeAvailable(p, proof, "");
        ILedger.FundParams memory f = _fundParams(0);
        f.deadline = uint64(block.timestamp);
        f.fromNewAvailable = ideal.commitAvailable(0, 0, 0, ++salt);
        f.toNewAvailable = ideal.commitAvailable(FUNDS, 0, 0, ++salt);
        vm.prank(alice);
        ledger.fund(f, proof, "");
    }

    function _leaf(address to) private view returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(agent, to, bytes32(uint256(1))))));
    }

    function _root() private view returns (bytes32) {
        (bytes32 a, bytes32 b) = (leaves[0], leaves[1]);
        return a < b ? keccak256(abi.encode(a, b)) : keccak256(abi.encode(b, a));
    }

    function _path(uint256 i) private view returns (ILedger.RecipientProof memory path) {
        path.leafSalt = bytes32(uint256(1));
        path.path = new bytes32[](1);
        path.path[0] = leaves[1 - i];
    }

    /// The next number of the sequence, below `bound`.
    function _next(uint256 bound) private returns (uint256) {
        random = uint256(keccak256(abi.encode(random)));
        return random % bound;
    }
}
